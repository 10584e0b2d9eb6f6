// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import Crypto
import HTTPServer
import JSON
import Platform

/// Sign-in with the ID token of an identity provider. With an ID token of ours, the identity is linked to that user.
extension IdentityClients {
    func signInWithIDP(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.app(in: store))
        let credential = try ProviderCredential(request)
        let providers = accounts.providers.configuration.now.accounts
        guard providers.provider(credential.provider, of: app) != nil else {
            throw Refusal.identity(.operationNotAllowed, "The identity provider configuration is not found.")
        }
        var native = try native(credential.fields, app, call)
        native.mayCreate = try request.flag("autoCreate") ?? true
        let outcome: SignInOutcome
        do {
            if let token = try request.text("idToken") {
                let (user, _) = try await user(of: token, app)
                outcome = .done(try await accounts.providers.link(native.body, to: user, call))
            } else {
                outcome = try await accounts.signIns.begin(native, call)
            }
        } catch let refusal as Refusal {
            return try credential.response(to: refusal, returnsErrors: try request.flag("returnIdpCredential") ?? false)
        }
        return try await response("VerifyAssertionResponse", outcome, app) { json in
            json.write(credential)
            if let payload = credential.payload { json.field("rawUserInfo", String(decoding: payload, as: UTF8.self)) }
            json.write(outcome, of: credential.provider)
        }
    }
}

/// The credential in the `postBody` of a request: `providerId=google.com&id_token=…&nonce=…`.
struct ProviderCredential: Sendable {
    let provider: String
    let token: String
    let accessToken: String?
    /// The fields of a sign-in of the native API.
    let fields: [String: String]

    init(_ request: IdentityRequest) throws(Refusal) {
        guard let text = try request.text("postBody"), text.utf8.count <= ProviderForm.mostBytes, let pairs = PercentDecoding.pairs(of: text)
        else { throw .identity(.invalidIDPResponse, "postBody is missing, too large or not a form.") }
        let form = ProviderForm(pairs)
        guard let provider = form.provider else { throw .identity(.invalidProvider) }
        guard let token = form.token else { throw .identity(.invalidIDPResponse, "Only ID tokens of providers are accepted.") }
        var fields = ["method": SignInMethod.idToken.rawValue, "provider": provider, "token": token]
        (fields["nonce"], fields["name"]) = (form.nonce, form.name)
        (self.provider, self.token, self.fields, accessToken) = (provider, token, fields, form.accessToken)
    }

    /// The claims of the token, once it was checked: clients show them as the profile at the provider.
    var payload: [UInt8]? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 ? Base64URL.decode(parts[1]) : nil
    }

    /// A refusal in Firebase's words, or the response by which the SDK asks the user to sign in in another way and to link then.
    ///
    /// - Parameter returnsErrors: Whether an identity of another account is told in a response with the credential, as the client wants it.
    func response(to refusal: Refusal, returnsErrors: Bool) throws(Refusal) -> HandlerResponse {
        switch refusal.code {
        case .accountExists:
            let email = payload.flatMap { try? JSONValue($0) }?["email"]?.string
            return .identity("VerifyAssertionResponse") { json in
                json.field("needConfirmation", true)
                json.write(self)
                if let email { json.field("email", email) }
            }
        case .identityLinked where returnsErrors:
            return .identity("VerifyAssertionResponse") { json in
                json.field("errorMessage", IdentityWord.alreadyLinked.rawValue)
                json.write(self)
            }
        case .identityLinked: throw .identity(.alreadyLinked)
        case .badIdentityToken where refusal.fields.first?.field == "nonce": throw .identity(.invalidNonce, refusal.detail)
        case .notFound where refusal == .noAccount: throw .identity(.userNotFound)
        default: throw refusal
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ credential: ProviderCredential) {
        field("providerId", credential.provider)
        field("oauthIdToken", credential.token)
        if let token = credential.accessToken { field("oauthAccessToken", token) }
    }

    fileprivate mutating func write(_ outcome: SignInOutcome, of provider: String) {
        let account = outcome.account
        if let identity = account.identities.first(where: { $0.provider.hasSameBytes(as: provider) }) {
            field("federatedId", identity.federatedID)
        }
        field("localId", account.uid)
        if let email = account.email { field("email", email) }
        field("emailVerified", account.isEmailVerified)
        writeProfile(of: account)
        if case .done(let made) = outcome { field("isNewUser", made.isNew) }
    }
}
