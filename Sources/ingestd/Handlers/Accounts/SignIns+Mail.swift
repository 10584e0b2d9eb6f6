// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import HTTPServer
import Platform

/// Sign-in with a code from a mail, and sign-up in apps where addresses are verified first.
extension SignIns {
    /// A code from a mail: the text of its link, or its digits with the address. With an ID token of ours as bearer, its user gets the address.
    func byCode(_ request: SignInRequest, _ call: Call) async throws -> SignInAttempt {
        try take(.signIn, .code, call)
        do {
            let code = try await store.accounts.open(try PresentedCode(request.body, store.accounts.secrets.key), request.app.id)
            guard code.kind == .signIn else { throw Refusal.wrongMailCode }
            guard case .user(let user) = call.caller else {
                return { [accounts = store.accounts] proof in try await accounts.signIn(code, request.session, request.origin(.code), proof) }
            }
            try requireAddress(of: code, in: request.body)
            let link = CodeLink(uid: user.uid, session: user.session, isAnonymous: try await providers.requireRecent(user))
            return { [accounts = store.accounts] _ in
                try await accounts.signIn(code, linkedTo: link, request.session, request.origin(.code))
            }
        } catch let refusal as Refusal where refusal.code == .invalidCode || refusal.code == .codeExpired {
            gauges.signedIn(.code, .wrong)
            throw refusal
        }
    }

    /// Rejects the code of a mail to another address than the request names. Otherwise a link of an attacker's mail, opened in the user's app,
    /// would give the account the attacker's address.
    private func requireAddress(of code: StoredCode, in body: Body) throws {
        guard EmailAddress(try body.text("email"))?.key.hasSameBytes(as: code.email.key) == true else { throw Refusal.wrongMailCode }
    }

    /// Sends the mail that creates the account, or tells the owner of the address that there is one. The response is the same.
    func askForProof(_ request: SignInRequest, _ call: Call) async throws -> HandlerResponse {
        try rules.requireMail()
        let (url, locale) = (try rules.continueURL(request.body, in: request.app), try rules.locale(request.body))
        let draft = try await draft(request, call)
        guard let email = draft.email else { throw Refusal.field("email", "missing", "is required") }
        var wish = CodeRequest(.signUp, email)
        (wish.password, wish.name, wish.continueURL, wish.locale) = (draft.password, draft.name, url, locale)
        if case .user(let user) = call.caller { wish.uid = user.uid }
        try limits.takeMail(to: email, in: request.app)
        _ = try await store.accounts.request(wish, request.app.id, request.origin(.password))
        return .accepted
    }
}
