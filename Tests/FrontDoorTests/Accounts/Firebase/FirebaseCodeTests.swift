// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Codes by mail as Firebase's SDKs ask for them and redeem them.
@Suite struct FirebaseCodeTests {
    static let page = "https://shop.example/done?a=b"

    static func use(methods: String = "password,code", _ body: @Sendable (FirebaseWorld, MailSink) async throws -> Void) async throws {
        let sink = try MailSink()
        try await FirebaseWorld.use(
            methods: methods, sends: true,
            configure: { configuration in
                (configuration.mail.url, configuration.mail.from) = (sink.url, "Shop <no-reply@shop.example>")
                configuration.accounts.url = "https://signals.example.org"
            }
        ) { firebase in
            try await firebase.world.set(#"{"auth_origins": ["https://shop.example"]}"#)
            try await body(firebase, sink)
        }
    }

    /// Asks for a code and returns its mail.
    static func mail(
        _ firebase: FirebaseWorld, _ sink: MailSink, _ type: String, _ more: String, headers: [String: String] = [:]
    ) async throws -> ReceivedMail {
        let before = sink.mails.count
        let reply = try await firebase.client("sendOobCode", #"{"requestType": "\#(type)", \#(more)}"#, headers: headers)
        #expect(reply.status == 200, "\(reply.text)")
        return try #require(try await sink.mails(before + 1).last)
    }

    @Test func `a password is reset as the SDK does it`() async throws {
        try await Self.use { firebase, sink in
            let user = try await firebase.user()
            let mail = try await Self.mail(
                firebase, sink, "PASSWORD_RESET", #""email": "ana@example.org", "continueUrl": "\#(Self.page)""#, headers: ["X-Firebase-Locale": "de"]
            )
            #expect(mail.link?.hasPrefix("https://signals.example.org/v1/auth/action?mode=resetPassword&oobCode=") == true, "\(mail.plain)")
            #expect(mail.link?.contains("&lang=de&continueUrl=https%3A%2F%2Fshop.example%2Fdone%3Fa%3Db") == true, "\(mail.plain)")
            let code = mail.code ?? ""
            let about = try JSON(try await firebase.client("resetPassword", #"{"oobCode": "\#(code)"}"#))
            #expect(about["requestType"].text == "PASSWORD_RESET" && about["email"].text == "ana@example.org")
            let body = #"{"oobCode": "\#(code)", "newPassword": "another horse battery"}"#
            try FirebaseWorld.expect(
                try await firebase.client("resetPassword", #"{"oobCode": "\#(code)", "newPassword": "short"}"#), 400, "WEAK_PASSWORD")
            #expect(try await firebase.client("resetPassword", body).status == 200)
            try FirebaseWorld.expect(try await firebase.client("resetPassword", body), 400, "INVALID_OOB_CODE")
            try FirebaseWorld.expect(try await firebase.lookup(user.token), 400, "TOKEN_EXPIRED")
            let signIn = #"{"email": "ana@example.org", "password": "another horse battery"}"#
            #expect(try await firebase.client("signInWithPassword", signIn).status == 200)
        }
    }

    @Test func `addresses are verified, changed and restored by applied codes`() async throws {
        try await Self.use { firebase, sink in
            let user = try await firebase.user()
            let verify = try await Self.mail(firebase, sink, "VERIFY_EMAIL", #""idToken": "\#(user.token)""#)
            let verified = try JSON(try await firebase.client("update", #"{"oobCode": "\#(verify.code ?? "")"}"#))
            #expect(verified["localId"].text == user.id && verified["emailVerified"].bool && verified["email"].text == "ana@example.org")
            let change = try await Self.mail(
                firebase, sink, "VERIFY_AND_CHANGE_EMAIL", #""idToken": "\#(user.token)", "newEmail": "ana@new.example""#)
            #expect(change.receivers == ["ana@new.example"])
            let changed = try JSON(try await firebase.client("update", #"{"oobCode": "\#(change.code ?? "")"}"#))
            #expect(changed["email"].text == "ana@new.example")
            let undo = try #require(try await sink.mails(3).last)
            #expect(undo.receivers == ["ana@example.org"] && undo.link?.contains("mode=recoverEmail") == true)
            let restored = try JSON(try await firebase.client("update", #"{"oobCode": "\#(undo.code ?? "")"}"#))
            #expect(restored["email"].text == "ana@example.org" && restored["emailVerified"].bool)
        }
    }

    @Test func `an anonymous user has no address to change`() async throws {
        try await Self.use(methods: "password,code,anonymous") { firebase, sink in
            let user = try FirebaseWorld.Session(await firebase.client("signUp", "{}"))
            let body = #"{"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": "\#(user.token)", "newEmail": "ana@example.org"}"#
            try FirebaseWorld.expect(await firebase.client("sendOobCode", body), 400, "MISSING_EMAIL")
            try FirebaseWorld.expect(
                await firebase.client("sendOobCode", #"{"requestType": "VERIFY_EMAIL", "idToken": "\#(user.token)"}"#), 400, "MISSING_EMAIL")
            // The first mail is the one that another asks for afterwards.
            let mail = try await Self.mail(firebase, sink, "EMAIL_SIGNIN", #""email": "bob@example.org", "continueUrl": "\#(Self.page)""#)
            #expect(mail.receivers == ["bob@example.org"] && sink.mails.count == 1)
        }
    }

    @Test func `a link of a mail signs in, with its own address only`() async throws {
        try await Self.use { firebase, sink in
            let mail = try await Self.mail(
                firebase, sink, "EMAIL_SIGNIN", #""email": "ana@example.org", "continueUrl": "\#(Self.page)", "canHandleCodeInApp": true"#)
            #expect(mail.link?.hasPrefix("\(Self.page)&mode=signIn&oobCode=") == true, "\(mail.plain)")
            let code = mail.code ?? ""
            let strange = try await firebase.client("signInWithEmailLink", #"{"email": "eve@example.org", "oobCode": "\#(code)"}"#)
            try FirebaseWorld.expect(strange, 400, "INVALID_EMAIL")
            let made = try await firebase.client("signInWithEmailLink", #"{"email": "Ana@example.org", "oobCode": "\#(code)"}"#)
            #expect(try JSON(made)["isNewUser"].bool, "\(made.text)")
            let claims = try FirebaseWorld.Session(made).claims
            #expect(claims["email_verified"].bool && claims["firebase"]["sign_in_provider"].text == "password")
            let again = try await firebase.client("signInWithEmailLink", #"{"email": "ana@example.org", "oobCode": "\#(code)"}"#)
            try FirebaseWorld.expect(again, 400, "INVALID_OOB_CODE")
        }
    }

    @Test func `strangers get the same answer, and requests without sense none`() async throws {
        try await Self.use { firebase, sink in
            _ = try await firebase.user()
            let known = try await firebase.client("sendOobCode", #"{"requestType": "PASSWORD_RESET", "email": "ana@example.org"}"#)
            let stranger = try await firebase.client("sendOobCode", #"{"requestType": "PASSWORD_RESET", "email": "bob@example.org"}"#)
            #expect(known.status == 200 && stranger.status == 200)
            #expect(known.text.replacing("ana@", with: "bob@") == stranger.text)
            let cases = [
                ("{}", "MISSING_REQ_TYPE"), (#"{"requestType": "X"}"#, "INVALID_REQ_TYPE"),
                (#"{"requestType": "PASSWORD_RESET"}"#, "MISSING_EMAIL"), (#"{"requestType": "VERIFY_EMAIL"}"#, "MISSING_ID_TOKEN"),
                (#"{"requestType": "EMAIL_SIGNIN", "email": "a@b.example"}"#, "MISSING_CONTINUE_URI"),
                (#"{"requestType": "EMAIL_SIGNIN", "email": "a@b.example", "continueUrl": "https://evil.example/"}"#, "UNAUTHORIZED_DOMAIN"),
                (#"{"requestType": "PASSWORD_RESET", "email": "a@b.example\r\nRCPT TO:<c@d.example>"}"#, "INVALID_EMAIL"),
            ]
            for (body, word) in cases { try FirebaseWorld.expect(try await firebase.client("sendOobCode", body), 400, word) }
            try FirebaseWorld.expect(try await firebase.client("resetPassword", "{}"), 400, "MISSING_OOB_CODE")
            try FirebaseWorld.expect(try await firebase.client("update", #"{"oobCode": "x"}"#), 400, "INVALID_OOB_CODE")
            #expect(try await sink.mails(1).map(\.receivers) == [["ana@example.org"]])
        }
    }

    @Test func `a server gets links, for accounts only, and no mail is sent`() async throws {
        try await Self.use { firebase, sink in
            _ = try await firebase.user()
            let body = #"{"requestType": "PASSWORD_RESET", "email": "ana@example.org", "returnOobLink": true}"#
            let made = try JSON(try await firebase.server("/accounts:sendOobCode", body))
            #expect(made["oobLink"].text.hasPrefix("https://signals.example.org/v1/auth/action?mode=resetPassword&oobCode="))
            let missing = body.replacing("ana@", with: "bob@")
            try FirebaseWorld.expect(try await firebase.server("/accounts:sendOobCode", missing), 400, "EMAIL_NOT_FOUND")
            let reset = #"{"oobCode": "\#(made["oobCode"].text)", "newPassword": "another horse battery"}"#
            #expect(try await firebase.client("resetPassword", reset).status == 200)
            let link = #"{"requestType": "EMAIL_SIGNIN", "email": "new@example.org", "returnOobLink": true, "continueUrl": "\#(Self.page)"}"#
            let signIn = try JSON(try await firebase.server("/accounts:sendOobCode", link))
            #expect(signIn["oobLink"].text.hasPrefix("\(Self.page)&mode=signIn"))
            // The first mail is the one that the app asks for now.
            let mail = try await Self.mail(firebase, sink, "EMAIL_SIGNIN", #""email": "bob@example.org", "continueUrl": "\#(Self.page)""#)
            #expect(mail.receivers == ["bob@example.org"] && sink.mails.count == 1)
            let audit = try JSON(try await firebase.api.get("/v1/audit", key: firebase.world.keys.admin))
            #expect(audit["items"].items.contains { $0["action"].text == "account.code" })
        }
    }

    @Test func `test suites read the codes of the emulator`() async throws {
        try await FirebaseWorld.use(methods: "password,code", configure: { ($0.accounts.emulator, $0.mode) = (true, .development) }) { firebase in
            _ = try await firebase.user()
            #expect(try await firebase.client("sendOobCode", #"{"requestType": "PASSWORD_RESET", "email": "ana@example.org"}"#).status == 200)
            let listed = try JSON(try await firebase.api.get("/emulator/v1/projects/old-shop-1a2b/oobCodes"))["oobCodes"]
            #expect(listed.items.count == 1 && listed[0]["requestType"].text == "PASSWORD_RESET" && listed[0]["email"].text == "ana@example.org")
            #expect(listed[0]["oobLink"].text.contains(listed[0]["oobCode"].text))
            let reset = #"{"oobCode": "\#(listed[0]["oobCode"].text)", "newPassword": "another horse battery"}"#
            #expect(try await firebase.client("resetPassword", reset).status == 200)
        }
        try await Self.use { firebase, _ async throws in
            #expect(try await firebase.api.get("/emulator/v1/projects/old-shop-1a2b/oobCodes").status == 404)
        }
    }
}
