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
    /// An account may have a hundred sessions.
    private static let pageWithSecrets = 100

    func fileLimit() -> Int { AccountTransfers.importBytes }

    func checkCapacity(for app: AppID?) throws(Refusal) { try rules.requireCapacity() }

    /// Adds the accounts of a file: lines of JSON, a list, or an export of Firebase.
    func add(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "replace")
        let app = try call.app(in: store)
        let replaces = try query.choice("replace", default: Answer.false) == .true
        guard let path = call.request.bodyFile else { throw Refusal(.badRequest, "The body contains no accounts.") }
        var source = ImportSource(try AccountTransfers.open(path), AccountImportReading(try await store.accounts.prepareSecrets()))
        var result = AccountImportResponse()
        do {
            var batch = try source.next()
            while let current = batch {
                // The next accounts are read during the commit.
                async let committed = commit(current, app, replaces: replaces, call)
                let next = Result { try source.next() }
                try await result.note(committed)
                batch = try next.get()
            }
        } catch let problem as EntrySplitter.Problem {
            throw AccountTransfers.refusal(problem, added: result.added)
        }
        let reading = source.reading
        result.note(reading.errors, of: reading.failed)
        call.audit?.note("\(result.added) added, \(result.failed) failed")
        return try .json(result)
    }

    private enum Answer: String, CaseIterable { case `true`, `false` }

    /// Adds the accounts of a batch in one commit and returns the failures.
    private func commit(
        _ batch: [AccountImportReading.Entry], _ app: App, replaces: Bool, _ call: Call
    ) async throws -> (added: Int, failures: [AccountImportResponse.Failure]) {
        let conflicts = try await importer.add(batch.map(\.account), app, replaces: replaces, place: call.head.client.place)
        let failures = zip(batch, conflicts).compactMap { entry, conflict in
            conflict.map { AccountImportResponse.Failure(index: entry.index, id: entry.account.uid, code: $0.rawValue, detail: $0.text) }
        }
        return (batch.count - failures.count, failures)
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

    /// Streams all accounts. With `secrets` also what only a daemon with the same key can use: password hashes, second factors, sessions, and
    /// the users of identity providers. It is for admins and the operator.
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
                let limit = withSecrets ? AccountTransfers.pageWithSecrets : AccountTransfers.page
                let page = try await store.accounts.accounts(app.id, after: after, limit: limit)
                guard let last = page.last else { return }
                let parts = try await withSecrets ? store.accounts.parts(of: page.map(\.account)) : []
                try await write(page.indices.flatMap { AccountExport.line(page[$0].account, withSecrets ? parts[$0] : nil) })
                after = last.cursor
            }
        }
    }
}

/// The file of an import, read in batches of accounts for one commit each.
private struct ImportSource {
    private static let partBytes = 64 << 10

    private let file: File
    private(set) var reading: AccountImportReading
    private var position = 0

    init(_ file: File, _ reading: AccountImportReading) { (self.file, self.reading) = (file, reading) }

    /// Returns the next batch; nil at the end.
    mutating func next() throws -> [AccountImportReading.Entry]? {
        while true {
            if let batch = reading.take(AccountImporter.entriesPerCommit, isLast: false) { return batch }
            let part = try file.read(at: position, count: ImportSource.partBytes)
            if part.isEmpty { break }
            position += part.count
            try reading.add(part)
        }
        try reading.finish()
        return reading.take(AccountImporter.entriesPerCommit, isLast: true)
    }
}

extension AccountImportResponse {
    fileprivate mutating func note(_ commit: (added: Int, failures: [Failure])) {
        added += commit.added
        note(commit.failures, of: commit.failures.count)
    }
}
