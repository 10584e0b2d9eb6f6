// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import Accounts
import AcrossStores
import Database
import HTTPServer
import JSON
import Platform

/// Imports and exports all accounts of an app, in constant memory for any number of them.
struct AccountTransfers: Sendable {
    let store: Stores
    let rules: AccountRules
    let importer: AccountImporter
    let slots: ExportSlots
    let clock: WallClock

    static let routes = [
        Route(
            .post, "/v1/auth/accounts/import", .role(.accounts),
            .upload(\.accounts.transfers, limit: AccountTransfers.fileLimit, AccountTransfers.add),
            audit: .accountImport, admission: Route.admission(\.accounts.transfers, AccountTransfers.checkCapacity)),
        Route(
            .get, "/v1/auth/accounts/export", .role(.accounts), .task(\.accounts.transfers, AccountTransfers.export), audit: .accountExport),
    ]
    /// Some 200,000 accounts. `ingestd auth import` sends larger files in parts.
    static let importBytes = 64 << 20
    private static let page = 1_000

    func fileLimit() -> Int { AccountTransfers.importBytes }

    func checkCapacity(for app: AppID?) throws(Refusal) { try rules.requireCapacity() }

    /// Adds the accounts of a file: lines of JSON, a list, or an export of Firebase.
    func add(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "replace")
        let app = try call.app(in: store)
        let replaces = try query.choice("replace", default: Answer.false) == .true
        guard let path = call.request.bodyFile else { throw Refusal(.badRequest, "The body contains no accounts.") }
        var reading = AccountImportReading(try await store.accounts.prepareSecrets())
        var result = AccountImportResponse()
        let file = try AccountTransfers.open(path)
        for start in stride(from: 0, to: try file.size, by: 256 << 10) {
            let part = try file.read(at: start, count: 256 << 10)
            do throws(EntrySplitter.Problem) { try reading.add(part) } catch { throw AccountTransfers.refusal(error, added: result.added) }
            while let batch = reading.take(AccountImporter.entriesPerCommit, isLast: false) {
                try await add(batch, app, replaces: replaces, call, &result)
            }
        }
        do throws(EntrySplitter.Problem) { try reading.finish() } catch { throw AccountTransfers.refusal(error, added: result.added) }
        while let batch = reading.take(AccountImporter.entriesPerCommit, isLast: true) {
            try await add(batch, app, replaces: replaces, call, &result)
        }
        result.note(reading.errors, of: reading.failed)
        call.audit?.note("\(result.added) added, \(result.failed) failed")
        return try .json(result)
    }

    private enum Answer: String, CaseIterable { case `true`, `false` }

    private func add(
        _ batch: [AccountImportReading.Entry], _ app: App, replaces: Bool, _ call: Call, _ result: inout AccountImportResponse
    ) async throws {
        let conflicts = try await importer.add(batch.map(\.account), app, replaces: replaces, place: call.head.client.place)
        for (entry, conflict) in zip(batch, conflicts) {
            if let conflict {
                let failure = AccountImportResponse.Failure(
                    index: entry.index, id: entry.account.uid, code: conflict.rawValue, detail: conflict.text)
                result.note([failure], of: 1)
            } else {
                result.added += 1
            }
        }
    }

    private static func open(_ path: String) throws(Refusal) -> File {
        do throws(FileError) { return try File(path, .read) } catch { throw Refusal.storage(error) }
    }

    private static func refusal(_ problem: EntrySplitter.Problem, added: Int) -> Refusal {
        let hint = "Send lines of JSON, a list of objects, or an export of Firebase. \(added) accounts before were added."
        return switch problem {
        case .malformed(let entry): .field("body", "malformed", "is no object at entry \(entry)", hint: hint)
        case .tooLong(let entry): .field("body", "too_long", "has more than 64 KiB at entry \(entry)", hint: hint)
        case .unfinished: .field("body", "unfinished", "ends inside an entry", hint: hint)
        }
    }

    // MARK: Export

    /// Streams all accounts. With `secrets` also the password hashes, for admins and the operator.
    func export(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "secrets")
        let app = try call.app(in: store)
        let withSecrets = try query.choice("secrets", default: Answer.false) == .true
        if withSecrets, call.caller.role == .accounts {
            throw Refusal(
                .forbidden, "The role accounts does not allow password hashes.", hint: "Use a key with the role admin, or `ingestd auth export`.")
        }
        let (store, key) = (store, store.accounts.secrets.key)
        return try slots.stream(call, of: app, in: store, [("Content-Type", "application/x-ndjson"), ("Cache-Control", "no-store")]) { write in
            if withSecrets, let key { try await write(AccountExport.header(app, key)) }
            var after: Int64 = 0
            while true {
                let page = try await store.accounts.accounts(app.id, after: after, limit: AccountTransfers.page)
                guard let last = page.last else { return }
                try await write(page.flatMap { AccountExport.line($0.account, withSecrets: withSecrets) })
                after = last.cursor
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ identities: [Account.Identity]) {
        key("identities")
        beginArray()
        for identity in identities {
            beginObject()
            field("provider", identity.provider)
            field("subject", identity.subject)
            if let email = identity.email { field("email", email) }
            endObject()
        }
        endArray()
    }
}

/// The lines of an export of accounts, which an import reads.
enum AccountExport {
    /// Names the key that sealed the password hashes: `{"export":{"project":"shop","key":"…"}}`.
    static func header(_ app: App, _ key: AccountsKey) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("export")
        json.beginObject()
        json.field("project", app.project)
        json.field("key", key.fingerprint)
        json.endObject()
        json.endObject()
        return json.bytes + [0x0a]
    }

    static func line(_ account: Account, withSecrets: Bool) -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.beginObject()
        json.field("id", account.uid)
        if let email = account.email { json.field("email", email) }
        json.field("email_verified", account.isEmailVerified)
        if let name = account.name { json.field("name", name) }
        if let photo = account.photoURL { json.field("photo_url", photo) }
        if let phone = account.phone { json.field("phone", phone) }
        json.field("anonymous", account.isAnonymous)
        json.field("disabled", account.isDisabled)
        if let claims = account.claims {
            json.key("claims")
            json.raw(Array(claims.utf8)[...])
        }
        json.field("created_at", account.created.rfc3339)
        if let time = account.lastSignIn { json.field("last_sign_in_at", time.rfc3339) }
        if !account.identities.isEmpty { json.write(account.identities) }
        if withSecrets, let hash = account.password { json.field("password_hash", hash) }
        json.endObject()
        return json.bytes + [0x0a]
    }
}
