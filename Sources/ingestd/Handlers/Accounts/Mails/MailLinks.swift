// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import Platform

/// The links of mails. They come from the daemon's settings and the app's list of origins alone, whatever host a request named.
///
///     https://signals.example.org/v1/auth/action?mode=resetPassword&oobCode=…&apiKey=shop&lang=de
///     https://shop.example/welcome?mode=signIn&oobCode=…&apiKey=shop&lang=en     for an app that opens links itself
struct MailLinks: Sendable {
    let tokens: IDTokens

    /// Returns the URL for a code; empty if only the digits can be used.
    func url(for code: StoredCode, project: String, _ key: AccountsKey) -> String {
        let parameters = [
            ("mode", code.kind.mode), ("oobCode", code.code.text(key).revealed), ("apiKey", project), ("lang", code.locale?.text ?? "en"),
        ].map { (name: $0.0, value: $0.1) }
        if code.opensApp, let url = code.continueURL { return ContinueURL.adding(parameters, to: url) }
        // For clients that read it from the link. The page of ours takes the stored one.
        let page = code.continueURL.map { [(name: "continueUrl", value: $0)] } ?? []
        // A page of ours cannot begin a session in the app.
        return code.kind == .signIn ? "" : ContinueURL.adding(parameters + page, to: tokens.base + "action")
    }
}
