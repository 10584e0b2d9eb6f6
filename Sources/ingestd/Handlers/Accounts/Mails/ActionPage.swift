// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import Crypto
import HTTPServer
import Platform

/// The HTML of an action page. It has no script, loads nothing, and its form goes to the daemon only.
struct ActionPage: Sendable {
    private static let style = """
        body{font-family:system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem;line-height:1.5}
        input,button{font:inherit;padding:.5rem;width:100%;box-sizing:border-box;margin:.25rem 0}
        """
    private static let policy: String = {
        let hash = Base64.encode(SHA256.hash(Array(style.utf8)))
        return "default-src 'none'; style-src 'sha256-\(hash)'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    }()

    private let words: ActionWords
    private let title: String
    /// HTML, made of literals and `HTMLText`.
    private let content: String

    /// Asks whether to do what the code is for.
    static func asking(_ code: StoredCode, _ text: String, _ words: ActionWords, problem: String? = nil) -> ActionPage {
        let (title, question, button) = words.question(code.kind, code.email.text)
        let warning = problem.map { "<p role=\"alert\"><strong>\(HTMLText($0).source)</strong></p>\n" } ?? ""
        let password = """
            <label>\(HTMLText(words.newPassword).source)<input type="password" name="new_password" autocomplete="new-password" required maxlength="1024"></label>

            """
        let form = """
            <form method="post" action="action">
            <input type="hidden" name="oobCode" value="\(HTMLText(text).source)">
            <input type="hidden" name="lang" value="\(words.language)">
            \(code.kind.setsPassword ? password : "")<button type="submit">\(HTMLText(button).source)</button>
            </form>
            """
        return ActionPage(words: words, title: title, content: "<p>\(HTMLText(question).source)</p>\n\(warning)\(form)")
    }

    /// Says that it was done. A page of the app that the code names is linked: its origin was checked when the code was asked for.
    static func done(_ code: StoredCode, _ words: ActionWords) -> ActionPage {
        let (title, text) = words.done(code.kind, code.email.text)
        let link = code.continueURL.map { "\n<p><a href=\"\(HTMLText($0).source)\" rel=\"noreferrer\">\(HTMLText(words.goOn).source)</a></p>" } ?? ""
        return ActionPage(words: words, title: title, content: "<p>\(HTMLText(text).source)</p>\(link)")
    }

    static func failure(_ refusal: Refusal, _ words: ActionWords) -> ActionPage {
        ActionPage(words: words, title: words.failed, content: "<p>\(HTMLText(words.reason(refusal.code)).source)</p>")
    }

    func response(status: Int = 200) -> HandlerResponse {
        let title = HTMLText(title).source
        let page = """
            <!DOCTYPE html>
            <html lang="\(words.language)"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>\(title)</title><style>\(ActionPage.style)</style></head><body>
            <h1>\(title)</h1>
            \(content)
            </body></html>

            """
        let headers = [
            ("Content-Type", "text/html; charset=utf-8"), ("Content-Security-Policy", ActionPage.policy), ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Cache-Control", "no-store"),
        ]
        return .response(HTTPResponse(status: status, headers: headers, body: Array(page.utf8)))
    }
}
