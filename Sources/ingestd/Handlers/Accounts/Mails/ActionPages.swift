// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import HTTPServer
import Platform

/// The page that a mail's link opens, for apps that do not open links themselves.
///
/// GET shows what the code does and uses nothing up, because scanners of mail servers open every link. The button sends a POST.
struct ActionPages: Sendable {
    let store: Stores
    let codes: MailCodes
    let limits: AccountLimits
    let rules: AccountRules

    static let routes = [
        Route(.get, "/v1/auth/action", .open, .task(\.accounts.pages, ActionPages.show)),
        Route(.post, "/v1/auth/action", .open, .task(\.accounts.pages, ActionPages.act), most: 8 << 10),
    ]

    func show(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        let words = ActionWords(try query.one("lang"))
        do {
            let text = try query.one("oobCode")
            return ActionPage.asking(try await open(text), text ?? "", words).response()
        } catch let refusal as Refusal {
            return ActionPage.failure(refusal, words).response(status: refusal.code.status)
        }
    }

    func act(_ call: Call) async throws -> HandlerResponse {
        let form = try QueryString(String(validating: call.request.body, as: UTF8.self) ?? "%")
        let words = ActionWords(try form.one("lang"))
        do {
            try limits.take(.signIn, from: call.head.client)
            let text = try form.one("oobCode")
            let code = try await open(text)
            try rules.requireCapacity()
            let password = try form.one("new_password")
            if code.kind.setsPassword {
                do { try rules.check(password: password ?? "") } catch {
                    return ActionPage.asking(code, text ?? "", words, problem: words.weakPassword).response(status: error.code.status)
                }
            }
            _ = try await codes.redeem(code, password: password, AccountOrigin(method: SignInMethod.code.rawValue, place: call.head.client.place))
            return ActionPage.done(code, words).response()
        } catch let refusal as Refusal {
            return ActionPage.failure(refusal, words).response(status: refusal.code.status)
        }
    }

    /// The code of a link. A text that this daemon did not seal is rejected without reading the disk.
    private func open(_ text: String?) async throws -> StoredCode {
        guard let text, let key = store.accounts.secrets.key, let code = MailCode(text, key) else { throw Refusal.wrongMailCode }
        let stored = try await store.accounts.open(.text(code), nil)
        guard stored.kind != .signIn else { throw Refusal.wrongMailCode }
        return stored
    }
}
