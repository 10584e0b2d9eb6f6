// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import HTTPServer
import JOSE
import JSON
import Platform

/// The calls of Firebase's server SDKs about the accounts of a project, for keys with the role `accounts` or `admin`.
struct IdentityAccounts: Sendable {
    let store: Stores
    let accounts: AccountServices

    static let most = 1_000

    func create(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try begin(call))
        try requireCapacity()
        var draft = AccountDraft()
        draft.uid = try request.text("localId")
        if let uid = draft.uid, !AccountID.isValid(uid) { throw Refusal.identity(.invalidLocalID) }
        draft.email = try request.text("email").map { (text) throws(Refusal) in try rules.email(text) }
        draft.isEmailVerified = try request.flag("emailVerified") ?? false
        (draft.name, draft.photoURL) = (try request.profileText("displayName"), try request.pictureURL("photoUrl"))
        draft.phone = try request.phone("phoneNumber")
        draft.isDisabled = try request.flag("disabled") ?? false
        draft.claims = try request.claims("customAttributes")
        guard try request.objects("mfaInfo", most: 100).isEmpty else { throw Self.noSMS }
        if let password = try request.text("password") {
            guard draft.email != nil else { throw Refusal.identity(.missingEmail) }
            try rules.check(password: password)
            draft.password = try await accounts.administration.hashing.hash(password)
        }
        let made = try await store.accounts.create(draft, app.id, call.accountOrigin)
        return .identity("SignupNewUserResponse") { json in
            json.field("localId", made.uid)
            json.field("email", made.email ?? "")
            json.field("displayName", made.name ?? "")
        }
    }

    func lookup(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try begin(call))
        var query = AccountLookup(
            uids: try request.texts("localId", most: 100), emails: try request.texts("email", most: 100).compactMap { EmailAddress($0) },
            phones: try request.texts("phoneNumber", most: 100))
        // Accounts of custom tokens and imports may have user IDs of any form.
        query.uids = query.uids.filter(AccountID.isValid)
        query.identities = try request.objects("federatedUserId", most: 100).compactMap { (one) throws(Refusal) in
            guard let provider = try one.text("providerId"), let subject = try one.text("rawId") else { return nil }
            return Account.Identity(provider: provider, subject: subject)
        }
        guard query.count <= 100 else { throw IdentityRequest.invalid("localId", "and the others may name at most 100 accounts") }
        let found = try await store.accounts.accounts(app.id, query)
        var refreshed: Timestamp?
        if found.count == 1 { refreshed = try await store.accounts.sessions(of: found[0]).map(\.state.refreshed).max() }
        let factors = try await store.accounts.confirmedFactors(of: found)
        return .identity("GetAccountInfoResponse") { json in
            // Google's library for Node takes an empty list for a user.
            if found.isEmpty { return }
            json.key("users")
            json.beginArray()
            for account in found { json.write(account, lastRefresh: refreshed, factors: factors[account.uid] ?? []) }
            json.endArray()
        }
    }

    func update(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try begin(call))
        try requireCapacity()
        guard let uid = try request.text("localId") else { throw Refusal.identity(.missingLocalID) }
        guard let known = try await store.accounts.account(app.id, uid: uid) else { throw Refusal.identity(.userNotFound) }
        let change = try await change(request, known)
        let changed: Account?
        do { changed = try await store.accounts.change(uid: uid, app.id, change, call.accountOrigin) } catch let refusal as Refusal
            where refusal.code == .identityLinked
        { throw Refusal.identity(.alreadyLinked) }
        guard let changed else { throw Refusal.identity(.userNotFound) }
        return .identity("SetAccountInfoResponse") { json in
            json.field("localId", changed.uid)
            if let email = changed.email { json.field("email", email) }
            json.writeProfile(of: changed)
            json.writeProviders(of: changed)
        }
    }

    /// A new password, a new address, a removed or replaced way to sign in, disabling and `validSince` end all sessions.
    private func change(_ request: IdentityRequest, _ known: Account) async throws -> AccountChange {
        var change = AccountChange()
        try change.readProfile(request)
        if let text = try request.text("email") {
            let email = try rules.email(text)
            if known.email.map({ !$0.hasSameBytes(as: text) }) ?? true { change.email = .some(email) }
        }
        change.isEmailVerified = try request.flag("emailVerified")
        if request.has("phoneNumber") { change.phone = .some(try request.phone("phoneNumber")) }
        for provider in try request.texts("deleteProvider", most: 20) {
            switch provider {
            case "phone": change.phone = .some(nil)
            case "password": change.password = .some(nil)
            default: change.removedProviders.append(provider)
            }
        }
        change.addedIdentities = try addedIdentities(request, known, change.removedProviders)
        change.keptFactors = try await keptFactors(request, of: known)
        if request.has("customAttributes") { change.claims = .some(try request.claims("customAttributes")) }
        change.isDisabled = try request.flag("disableUser")
        if let password = try request.text("password") {
            guard known.email != nil || change.email != nil else { throw Refusal.identity(.missingEmail) }
            try rules.check(password: password)
            change.password = .some(try await accounts.administration.hashing.hash(password))
        }
        let isRevoked = try request.number("validSince") != nil
        let isOtherwise = change.password != nil || change.email != nil || !change.removedProviders.isEmpty
        change.endsSessions = isOtherwise || change.isDisabled == true || isRevoked || change.replacesIdentity(of: known)
        return change
    }

    func delete(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try begin(call))
        guard let uid = try request.text("localId") else { throw Refusal.identity(.missingLocalID) }
        guard try await store.accounts.delete(uid: uid, app.id, app.settings.onAccountDeleted, call.accountOrigin) else {
            throw Refusal.identity(.userNotFound)
        }
        accounts.departures.begin()
        return .identity("DeleteAccountResponse")
    }

    // MARK: Parts

    var rules: AccountRules { accounts.administration.rules }

    func requireCapacity() throws(Refusal) { try rules.requireCapacity() }

    /// The request and the project of the path, which must be the key's own.
    func begin(_ call: Call) throws(Refusal) -> (IdentityRequest, App) {
        let request = try IdentityRequest(call.request.body)
        let app = try call.project(in: store)
        if try request.text("tenantId") != nil { throw .identity(.operationNotAllowed, "An app is the only tenant.", code: .notImplemented) }
        return (request, app)
    }
}

extension IdentityRequest {
    /// A phone number in the form of E.164; nil if it is missing or empty.
    func phone(_ name: String) throws(Refusal) -> String? {
        guard let text = try text(name) else { return nil }
        guard PhoneNumber.isOne(text) else { throw .identity(.invalidPhone) }
        return text
    }

    /// Claims as a text with a JSON object; nil for none.
    func claims(_ name: String) throws(Refusal) -> String? {
        guard let text = try text(name) else { return nil }
        do throws(CustomClaims.Problem) {
            let claims = try CustomClaims(json: Array(text.utf8))
            return claims == .none ? nil : text
        } catch {
            switch error {
            case .notAnObject: throw .identity(.invalidClaims)
            case .tooLarge: throw .identity(.claimsTooLarge)
            case .reserved(let name): throw .identity(.forbiddenClaim, name)
            }
        }
    }
}
