// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import HTTPServer
import JSON
import Platform

/// Identities and second factors in the updates of servers.
///
///     {"localId": "ana", "linkProviderUserInfo": {"providerId": "google.com", "rawId": "1078"}}     links that user of Google
///     {"localId": "ana", "mfa": {"enrollments": [{"mfaEnrollmentId": "factor_1"}]}}                 removes all factors but this one
extension IdentityAccounts {
    /// Codes by SMS are not sent, as in a project of Firebase that has not turned them on.
    static let noSMS = Refusal.identity(.operationNotAllowed, "SMS based MFA not enabled.")

    /// Identities that a provider of tokens does not have.
    private static let reservedProviders = ["anonymous", "custom", "email", "emailLink", "firebase", "password", "phone"]

    /// The user of a provider that an update links, on the word of the server.
    func addedIdentities(_ request: IdentityRequest, _ known: Account, _ removed: [String]) throws(Refusal) -> [Account.Identity] {
        guard let info = try request.object("linkProviderUserInfo") else { return [] }
        guard let provider = try info.profileText("providerId") else { throw .identity(.missingProvider) }
        guard let subject = try info.profileText("rawId") else { throw .identity(.missingRawID) }
        guard !Self.reservedProviders.contains(where: { $0.hasSameBytes(as: provider) }) else { throw .identity(.invalidProvider) }
        let others = known.identities.filter { other in !(removed + [provider]).contains { $0.hasSameBytes(as: other.provider) } }
        guard others.count < ImportedIdentity.most else {
            throw Refusal(.limitReached, "An account has at most \(ImportedIdentity.most) identities.")
        }
        let email = try info.text("email").map { (text) throws(Refusal) in try rules.email(text).text }
        return [Account.Identity(provider: provider, subject: subject, email: email)]
    }

    /// The second factors that an update leaves; nil for all. Only users add authenticator apps, as their secrets are never in a request.
    func keptFactors(_ request: IdentityRequest, of known: Account) async throws -> [AccountChange.KeptFactor]? {
        guard let list = try request.object("mfa") else { return nil }
        let confirmed = try await store.accounts.confirmedFactors(of: [known])[known.uid] ?? []
        var kept: [AccountChange.KeptFactor] = []
        for entry in try list.objects("enrollments", most: 100) {
            guard !entry.has("phoneInfo") else { throw Self.noSMS }
            guard let id = try entry.text("mfaEnrollmentId") else {
                throw Refusal.identity(.invalidEnrollment, "mfaEnrollmentId must be defined.")
            }
            guard !kept.contains(where: { $0.id.hasSameBytes(as: id) }) else { throw Refusal.identity(.duplicateEnrollment) }
            guard confirmed.contains(where: { $0.id.hasSameBytes(as: id) }) else { throw Refusal.identity(.enrollmentNotFound) }
            kept.append(.init(id: id, name: try entry.profileText("displayName")))
        }
        return kept
    }
}

extension AccountChange {
    /// Whether another user of a provider takes the place of the one with whom the account could be signed in to.
    func replacesIdentity(of account: Account) -> Bool {
        addedIdentities.contains { added in
            account.identities.contains { $0.provider.hasSameBytes(as: added.provider) && !$0.subject.hasSameBytes(as: added.subject) }
        }
    }
}
