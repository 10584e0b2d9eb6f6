// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import JOSE
import JSON
import Platform

/// Bodies of sign-ups, sign-ins, refreshes and administration: an object whose members are read by name, as the handlers read them.
///
///     {"email": "ana@example.org", "password": "…", "claims": {"plan": "pro"}, "refresh_token": "…", "token": "…"}
enum AccountBodies {
    private static let key = AccountsKey.make()
    private static let now = Timestamp(milliseconds: 1_790_000_000_000)
    private static let signing = RSAPrivateKey.make()

    static func run(_ bytes: [UInt8]) {
        guard let body = try? JSONValue(bytes) else { return }
        for (name, value) in body.fields { read(name, value) }
        // The names of a stored account stand in ID tokens as they are.
        var token = IDToken(
            issuer: "https://signals.example/1", audience: "1", subject: body["id"]?.string ?? "ana", app: 1, issued: now, authenticated: now,
            method: "password")
        (token.name, token.picture, token.email) = (body["name"]?.string, body["photo_url"]?.string, body["email"]?.string)
        guard let made = try? JSONValue(token.json) else { return require(false, "an ID token is no JSON") }
        require(made["sub"]?.string?.hasSameBytes(as: token.subject) == true, "the user of an ID token changed")
        require(made["name"]?.string.map { Array($0.utf8) } == token.name.map { Array($0.utf8) }, "the name of an ID token changed")
    }

    private static func read(_ name: String, _ value: JSONValue) {
        guard let text = value.string else {
            guard name == "claims", let claims = try? CustomClaims(json: Array(value.json)) else { return }
            accepted()
            require((try? CustomClaims(json: claims.json)) == claims, "stored claims cannot be read")
            return
        }
        switch name {
        case "email":
            guard let email = EmailAddress(text) else { return }
            accepted()
            require(EmailAddress(email.key)?.key.hasSameBytes(as: email.key) == true, "the key of an address is no address")
            require(email.text.utf8.count <= 254, "an address of \(email.text.utf8.count) bytes")
        case "password":
            guard PasswordPolicy.problem(of: text, isDevelopment: false) == nil else { return }
            accepted()
            require((8...1_024).contains(text.utf8.count), "a password of \(text.utf8.count) bytes")
        case "refresh_token": require(RefreshToken(text, key) == nil, "a forged refresh token is accepted")
        case "id": if AccountID.isValid(text) { require((1...128).contains(text.utf8.count), "a user ID of \(text.utf8.count) bytes") }
        case "token":
            let checked = try? CustomToken(checking: text, audiences: ["shop"], now: now) { _, _ in signing.publicKey }
            require(checked == nil, "a forged token is accepted")
        default: break
        }
    }
}

/// Settings of an app by name. What is accepted is stored as text, and this text is accepted again with the same result.
enum SettingBodies {
    static func run(_ bytes: [UInt8]) {
        guard let body = try? JSONValue(bytes) else { return }
        var settings = AppSettings()
        for (name, value) in body.fields {
            let text = value.string ?? String(decoding: value.json, as: UTF8.self)
            guard (try? settings.set(name, to: text)) != nil, let field = AppSettings.field(named: name) else { continue }
            accepted()
            let stored = field.text(in: settings)
            var again = AppSettings()
            require((try? again.set(name, to: stored)) != nil, "the stored text of \(field.name) is rejected")
            require(field.text(in: again).hasSameBytes(as: stored), "\(field.name) changes when it is read")
        }
    }
}
