// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import HTTPServer
import JSON
import Platform

/// The calls of server SDKs about many accounts.
extension IdentityAccounts {
    /// Lists accounts in the order of their creation. The parameters are in the query, or in the body of the older API.
    func batchGet(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try begin(call))
        let query = try call.query()
        let number = try query.one("maxResults").flatMap { Int64($0) } ?? request.number("maxResults") ?? 20
        guard (1...Int64(IdentityAccounts.most)).contains(number) else { throw IdentityRequest.invalid("maxResults", "must be from 1 to 1,000") }
        let token = try query.one("nextPageToken") ?? request.text("nextPageToken") ?? ""
        guard let after = token.isEmpty ? 0 : Int64(token), after >= 0 else {
            throw IdentityRequest.invalid("nextPageToken", "must be the token of an earlier page")
        }
        let found = try await store.accounts.accounts(app.id, after: after, limit: Int(number))
        let factors = try await store.accounts.confirmedFactors(of: found.map(\.account))
        return .identity("DownloadAccountResponse") { json in
            if found.isEmpty { return }
            json.key("users")
            json.beginArray()
            for one in found { json.write(one.account, factors: factors[one.account.uid] ?? []) }
            json.endArray()
            // Clients ask until a page has no users.
            if let last = found.last { json.field("nextPageToken", String(last.cursor)) }
        }
    }

    /// Adds accounts of another project, with the parameters of their hashes.
    func batchCreate(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try begin(call))
        try requireCapacity()
        let users = request.value("users")?.elements ?? []
        guard (1...IdentityAccounts.most).contains(users.count) else { throw Refusal.identity(.missingUsers, "One to 1,000 users are required.") }
        let hashes = try await hashes(call)
        let replaces = try request.flag("allowOverwrite") ?? false
        var errors: [(index: Int, message: String)] = []
        var accounts: [(index: Int, account: ImportedAccount)] = []
        for (index, user) in users.enumerated() {
            do throws(ImportProblem) {
                accounts.append((index, try ImportedAccount(user, hashes: hashes)))
            } catch {
                errors.append((index, "\(error.field) \(error.problem)"))
            }
        }
        let importer = AccountImporter(store: store, hashing: self.accounts.administration.hashing)
        let conflicts = try await importer.add(accounts.map(\.account), app, replaces: replaces, place: call.head.client.place)
        for (one, conflict) in zip(accounts, conflicts) {
            if let conflict { errors.append((one.index, conflict.text)) }
        }
        return .identity("UploadAccountResponse") { json in
            guard !errors.isEmpty else { return }
            json.key("error")
            json.write(errors.sorted { $0.index < $1.index }.map { (index: $0.index, uid: String?.none, message: $0.message) })
        }
    }

    private func hashes(_ call: Call) async throws -> HashImport? {
        guard let body = try? JSONValue(call.request.body), body["hashAlgorithm"] != nil else { return nil }
        let key = try await store.accounts.prepareSecrets()
        do throws(ImportProblem) {
            let parameters = try HashImport.Parameters(body)
            do throws(HashImport.Problem) { return try HashImport(parameters, key) } catch {
                switch error {
                case .unknownAlgorithm: throw ImportProblem("hashAlgorithm", "is unknown")
                case .parameter(let name): throw ImportProblem(name, "is missing or beyond its bounds")
                }
            }
        } catch {
            throw Refusal.identity(.invalidHash, "\(error.field) \(error.problem).")
        }
    }

    /// Deletes accounts; without `force` only disabled ones.
    func batchDelete(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try begin(call))
        let uids = try request.texts("localIds", most: IdentityAccounts.most)
        let force = try request.flag("force") ?? false
        let (store, rule, origin) = (store, app.settings.onAccountDeleted, call.accountOrigin)
        var errors: [(index: Int, uid: String?, message: String)] = []
        for (index, uid) in uids.enumerated() {
            if !force, let account = try await store.accounts.account(app.id, uid: uid), !account.isDisabled {
                errors.append((index, uid, "NOT_DISABLED : Disable the account before it is deleted in a batch."))
                continue
            }
            // An unknown ID counts as deleted, as in Firebase.
            _ = try await store.accounts.delete(uid: uid, app.id, rule, origin)
        }
        accounts.departures.begin()
        return .identity("BatchDeleteAccountsResponse") { json in
            guard !errors.isEmpty else { return }
            json.key("errors")
            json.write(errors)
        }
    }

    /// Finds accounts by an expression, or counts and lists them.
    func query(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try begin(call))
        let expressions = try request.objects("expression", most: 10)
        var query = AccountLookup()
        for expression in expressions {
            if let uid = try expression.text("userId") { query.uids.append(uid) }
            if let email = try expression.text("email").flatMap(EmailAddress.init) { query.emails.append(email) }
            if let phone = try expression.text("phoneNumber") { query.phones.append(phone) }
        }
        let limit = try request.number("limit") ?? 500
        guard (1...500).contains(limit) else { throw IdentityRequest.invalid("limit", "must be from 1 to 500") }
        let users = try request.flag("returnUserInfo") ?? true
        let found: [Account]
        let count: Int
        if !expressions.isEmpty {
            found = try await store.accounts.accounts(app.id, query)
            count = found.count
        } else if users {
            found = try await store.accounts.accounts(app.id, after: 0, limit: Int(limit)).map(\.account)
            count = found.count
        } else {
            found = []
            count = try await store.accounts.countAccounts(app.id)
        }
        let factors = try await store.accounts.confirmedFactors(of: users ? found : [])
        return .identity("QueryUserInfoResponse") { json in
            json.field("recordsCount", String(count))
            guard users, !found.isEmpty else { return }
            json.key("userInfo")
            json.beginArray()
            for account in found { json.write(account, factors: factors[account.uid] ?? []) }
            json.endArray()
        }
    }

    /// Deletes all accounts of a project, as test suites do between tests. Only in the emulator.
    func deleteAll(_ call: Call) async throws -> HandlerResponse {
        let app = try call.project(in: store)
        while true {
            let found = try await store.accounts.accounts(app.id, after: 0, limit: IdentityAccounts.most)
            if found.isEmpty { break }
            for one in found { _ = try await store.accounts.delete(uid: one.account.uid, app.id, .keep, call.accountOrigin) }
        }
        return .response(.json(Array("{}".utf8)))
    }
}

extension ImportConflict {
    /// The reason in a sentence of the emulator of Firebase.
    var text: String {
        switch self {
        case .idTaken: "localId belongs to an existing account - can not overwrite."
        case .emailTaken: "email belongs to another account"
        case .identityTaken: "providerUserInfo belongs to another account"
        case .phoneTaken: "phoneNumber belongs to another account"
        case .factorUnreadable: "the secret of a second factor cannot be decrypted"
        case .beingErased: "localId belonged to an account whose data is being erased; try again in a minute"
        }
    }
}

extension JSONWriter {
    /// Writes errors of a batch by the index of their element.
    fileprivate mutating func write(_ errors: [(index: Int, uid: String?, message: String)]) {
        beginArray()
        for error in errors {
            beginObject()
            field("index", error.index)
            if let uid = error.uid { field("localId", uid) }
            field("message", error.message)
            endObject()
        }
        endArray()
    }
}
