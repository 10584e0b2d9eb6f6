// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import HTTPServer
import JSON
import Platform

extension IdentityCodes {
    /// Signs in with the link of a mail. With an ID token, its user gets the address.
    func signIn(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.app(in: store))
        let address = try email(request, "email", .missingEmail)
        guard let text = try request.text("oobCode") else { throw Refusal.identity(.missingOOBCode) }
        try await requireAddress(address, ofCode: text, app)
        let signer = try await self.signer(request, app, call)
        let native = try clients.native(["method": SignInMethod.code.rawValue, "code": text, "email": address.text], app, signer)
        let outcome = try await accounts.signIns.begin(native, signer)
        return try await clients.response("EmailLinkSigninResponse", outcome, app) { json in
            json.field("localId", outcome.account.uid)
            json.field("email", outcome.account.email ?? "")
            if case .done(let made) = outcome { json.field("isNewUser", made.isNew) }
        }
    }

    /// Rejects the code of a mail to another address: the SDK asks the user for it, so that a link of another's mail signs nobody in.
    private func requireAddress(_ address: EmailAddress, ofCode text: String, _ app: App) async throws {
        guard let key = store.accounts.secrets.key, let code = MailCode(text, key), let stored = try? await store.accounts.open(.text(code), app.id),
            !stored.email.key.hasSameBytes(as: address.key)
        else { return }
        throw Refusal.invalidEmailOfCode
    }

    /// The call as one of the user whose ID token it has in its body.
    private func signer(_ request: IdentityRequest, _ app: App, _ call: Call) async throws -> Call {
        guard let token = try request.text("idToken") else { return call }
        let (user, _) = try await clients.user(of: token, app)
        return Call(request: call.request, caller: .user(user), parameters: call.parameters, takesKeyInQuery: call.takesKeyInQuery)
    }
}

extension Refusal {
    fileprivate static let invalidEmailOfCode = Refusal(.invalidEmail, "The mail went to another address.")
}
