// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Links of mails that are linked to the signed-in user, as `linkWithCredential` of Firebase's SDKs does it, and natively.
@Suite struct MailLinkTests {
    private static func use(_ body: @Sendable (FirebaseWorld, MailSink) async throws -> Void) async throws {
        try await FirebaseCodeTests.use(methods: "password,code,anonymous,custom_token", body)
    }

    /// Asks for a link to an address and returns its code.
    private static func code(_ firebase: FirebaseWorld, _ sink: MailSink, _ email: String = "ana@example.org") async throws -> String {
        let more = #""email": "\#(email)", "continueUrl": "\#(FirebaseCodeTests.page)", "canHandleCodeInApp": true"#
        return try #require(try await FirebaseCodeTests.mail(firebase, sink, "EMAIL_SIGNIN", more).code)
    }

    private static func link(
        _ firebase: FirebaseWorld, _ code: String, _ token: String, _ email: String = "ana@example.org"
    ) async throws -> Reply {
        try await firebase.client("signInWithEmailLink", #"{"email": "\#(email)", "oobCode": "\#(code)", "idToken": "\#(token)"}"#)
    }

    private static func signInByLink(_ firebase: FirebaseWorld, _ code: String, _ email: String = "ana@example.org") async throws -> Reply {
        try await firebase.client("signInWithEmailLink", #"{"email": "\#(email)", "oobCode": "\#(code)"}"#)
    }

    /// Begins a session of a user with a custom token.
    private static func vouched(_ uid: String, _ firebase: FirebaseWorld) async throws -> FirebaseWorld.Session {
        let (pair, world) = (RSA.makeKey(), firebase.world)
        let body = #"{"role": "accounts", "service_account": {"public_key": "\#(Base64.encode(pair.publicKey))"}}"#
        let made = try JSON(try await world.live.api.asOperator("POST", "/v1/apps/\(world.keys.app)/keys", body))
        let (account, at) = (made["service_account"]["client_email"].text, world.clock.clock.now().milliseconds / 1_000)
        let claims = #""iss":"\#(account)","sub":"\#(account)","aud":"\#(CustomToken.firebaseAudience)","iat":\#(at),"exp":\#(at + 600)"#
        let parts = [#"{"alg":"RS256","typ":"JWT"}"#, #"{\#(claims),"uid":"\#(uid)"}"#].map { Base64URL.encode(Array($0.utf8)) }
        let signed = parts.joined(separator: ".")
        let token = signed + "." + Base64URL.encode(RS256Signer(pem: pair.privatePEM).sign(Array(signed.utf8)))
        return try FirebaseWorld.Session(await firebase.client("signInWithCustomToken", #"{"token": "\#(token)"}"#))
    }

    @Test func `an anonymous user keeps the user ID, and earlier sessions end`() async throws {
        try await Self.use { firebase, sink in
            let user = try FirebaseWorld.Session(await firebase.client("signUp", "{}"))
            let code = try await Self.code(firebase, sink)
            let linked = try JSON(try await Self.link(firebase, code, user.token))
            #expect(linked["localId"].text == user.id && linked["email"].text == "ana@example.org" && !linked["isNewUser"].bool, "\(linked)")
            try FirebaseWorld.expect(try await firebase.lookup(user.token), 400, "TOKEN_EXPIRED")
            try FirebaseWorld.expect(try await firebase.token(user.refresh), 400, "TOKEN_EXPIRED")
            let claims = try FirebaseWorld.claims(linked["idToken"].text)
            #expect(claims["sub"].text == user.id && claims["email_verified"].bool && claims["provider_id"].text.isEmpty)
            let account = try JSON(try await firebase.lookup(linked["idToken"].text))["users"][0]
            #expect(account["email"].text == "ana@example.org" && account["emailVerified"].bool)
            // Without a provider the SDK would take the user for an anonymous one.
            #expect(account["providerUserInfo"].items.map { $0["providerId"].text } == ["password"])
            try FirebaseWorld.expect(try await Self.link(firebase, code, linked["idToken"].text), 400, "INVALID_OOB_CODE")
            let audit = try JSON(try await firebase.api.get("/v1/auth/audit?event=upgraded&user=\(user.id)", key: firebase.world.keys.admin))
            #expect(audit["items"].items.count == 1)
            firebase.world.clock.advance(by: .minutes(2))
            let again = try JSON(try await Self.signInByLink(firebase, try await Self.code(firebase, sink)))
            #expect(again["localId"].text == user.id && !again["isNewUser"].bool)
        }
    }

    @Test func `the address of another account is not taken, whether it was verified or not`() async throws {
        try await Self.use { firebase, sink in
            let thief = try await firebase.user()
            let user = try FirebaseWorld.Session(await firebase.client("signUp", "{}"))
            let code = try await Self.code(firebase, sink)
            try FirebaseWorld.expect(try await Self.link(firebase, code, user.token), 400, "EMAIL_EXISTS")
            #expect(try JSON(try await firebase.lookup(user.token))["users"][0]["email"].text.isEmpty)
            #expect(try await firebase.lookup(thief.token).status == 200)
            // The link was not used up: it signs in to the account, whose maker never proved the address and is out.
            let owner = try JSON(try await Self.signInByLink(firebase, code))
            #expect(owner["localId"].text == thief.id)
            try FirebaseWorld.expect(try await firebase.lookup(thief.token), 400, "TOKEN_EXPIRED")
            let password = #"{"email": "ana@example.org", "password": "\#(FirebaseWorld.password)"}"#
            try FirebaseWorld.expect(try await firebase.client("signInWithPassword", password), 400, "INVALID_LOGIN_CREDENTIALS")
            firebase.world.clock.advance(by: .minutes(2))
            let second = try await Self.code(firebase, sink)
            try FirebaseWorld.expect(try await Self.link(firebase, second, user.token), 400, "EMAIL_EXISTS")
            #expect(try JSON(try await firebase.lookup(user.token))["users"][0]["email"].text.isEmpty)
        }
    }

    @Test func `a user with another address changes it after a recent sign-in, and the former address can undo it`() async throws {
        try await Self.use { firebase, sink in
            let user = try await firebase.user()
            let verify = try await FirebaseCodeTests.mail(firebase, sink, "VERIFY_EMAIL", #""idToken": "\#(user.token)""#)
            #expect(try await firebase.client("update", #"{"oobCode": "\#(verify.code ?? "")"}"#).status == 200)
            firebase.world.clock.advance(by: .minutes(6))
            let code = try await Self.code(firebase, sink, "ana@new.example")
            try FirebaseWorld.expect(try await Self.link(firebase, code, user.token, "ana@new.example"), 400, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
            let password = #"{"email": "ana@example.org", "password": "\#(FirebaseWorld.password)"}"#
            let fresh = try FirebaseWorld.Session(await firebase.client("signInWithPassword", password))
            let linked = try FirebaseWorld.Session(await Self.link(firebase, code, fresh.token, "ana@new.example"))
            #expect(linked.id == user.id && linked.json["email"].text == "ana@new.example")
            let account = try JSON(try await firebase.lookup(linked.token))["users"][0]
            #expect(account["email"].text == "ana@new.example" && account["emailVerified"].bool && account["passwordHash"].text != "")
            // The session that linked goes on, others end.
            #expect(try await firebase.token(fresh.refresh).status == 200)
            try FirebaseWorld.expect(try await firebase.lookup(user.token), 400, "TOKEN_EXPIRED")
            let undo = try #require(try await sink.mails(3).last)
            #expect(undo.receivers == ["ana@example.org"] && undo.plain.contains("ana@new.example"))
            let restored = try JSON(try await firebase.client("update", #"{"oobCode": "\#(undo.code ?? "")"}"#))
            #expect(restored["email"].text == "ana@example.org" && restored["emailVerified"].bool)
            try FirebaseWorld.expect(try await firebase.lookup(linked.token), 400, "TOKEN_EXPIRED")
        }
    }

    @Test func `a link verifies the own address and gives one to a user without`() async throws {
        try await Self.use { firebase, sink in
            let user = try await firebase.user()
            let verified = try FirebaseWorld.Session(await Self.link(firebase, try await Self.code(firebase, sink), user.token))
            #expect(try verified.id == user.id && verified.claims["email_verified"].bool)
            let password = #"{"email": "ana@example.org", "password": "\#(FirebaseWorld.password)"}"#
            #expect(try await firebase.client("signInWithPassword", password).status == 200)
            // A user for whom a server vouches has no address.
            let bob = try await Self.vouched("bob", firebase)
            let named = try await Self.link(firebase, try await Self.code(firebase, sink, "bob@example.org"), bob.token, "bob@example.org")
            #expect(try JSON(named)["localId"].text == "bob" && JSON(named)["email"].text == "bob@example.org", "\(named.text)")
            #expect(try JSON(try await firebase.lookup(FirebaseWorld.Session(named).token))["users"][0]["emailVerified"].bool)
            #expect(sink.mails.count == 2)
        }
    }

    @Test func `a link is not used up by a wrong address, a wrong token or another app's`() async throws {
        try await Self.use { firebase, sink in
            let user = try FirebaseWorld.Session(await firebase.client("signUp", "{}"))
            let code = try await Self.code(firebase, sink)
            try FirebaseWorld.expect(try await Self.link(firebase, code, user.token, "eve@example.org"), 400, "INVALID_EMAIL")
            try FirebaseWorld.expect(try await Self.link(firebase, code, "a.b.c"), 400, "INVALID_ID_TOKEN")
            let other = try await firebase.api.makeApp("other")
            let methods = Array(#"{"auth_methods": "anonymous,code"}"#.utf8)
            #expect(try await firebase.api.request("PATCH", "/v1/app", key: other.admin, body: methods).status == 200)
            let stranger = try FirebaseWorld.Session(await firebase.client("signUp", "{}", key: other.ingest))
            try FirebaseWorld.expect(try await Self.link(firebase, code, stranger.token), 400, "INVALID_ID_TOKEN")
            let body = #"{"email": "ana@example.org", "oobCode": "\#(code)", "idToken": "\#(stranger.token)"}"#
            try FirebaseWorld.expect(try await firebase.client("signInWithEmailLink", body, key: other.ingest), 400, "INVALID_OOB_CODE")
            #expect(try await Self.link(firebase, code, user.token).status == 200)
        }
    }

    @Test func `of two users who link one code at once, one gets the address`() async throws {
        try await Self.use { firebase, sink in
            var users: [FirebaseWorld.Session] = []
            for _ in 0..<4 { users.append(try FirebaseWorld.Session(await firebase.client("signUp", "{}"))) }
            let code = try await Self.code(firebase, sink)
            let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
                for token in users.map(\.token) { group.addTask { try await Self.link(firebase, code, token) } }
                return try await group.reduce(into: [Reply]()) { $0.append($1) }
            }
            #expect(replies.filter { $0.status == 200 }.count == 1)
            for reply in replies where reply.status != 200 { try FirebaseWorld.expect(reply, 400, "INVALID_OOB_CODE") }
            let found = try JSON(try await firebase.server("/accounts:lookup", #"{"email": ["ana@example.org"]}"#))["users"]
            #expect(found.items.count == 1)
        }
    }

    @Test func `natively the ID token is the bearer, and digits link, too`() async throws {
        try await MailWorld.use(methods: "password,code,anonymous") { world in
            let start = try await world.api.post("/v1/auth/sign-in", key: world.keys.ingest, #"{"method": "anonymous"}"#)
            let user = try AccountWorld.Session(start)
            try await world.accounts.set(#"{"auth_origins": ["https://shop.example"]}"#)
            let mail = try await world.mail("sign_in", more: #", "continue_url": "https://shop.example/""#)
            let text = try #require(mail.code)
            // The link of a mail that somebody else asked for links nothing unless the app names its address.
            for (more, code) in [("", "invalid"), (#", "email": "bob@example.org""#, "invalid_code")] {
                let planted = #"{"method": "code", "code": "\#(text)"\#(more)}"#
                let refused = try await world.api.post("/v1/auth/sign-in", key: user.token, planted)
                #expect(try refused.status == 422 && JSON(refused)["code"].text == code, "\(refused.text)")
            }
            let body = #"{"method": "code", "code": "\#(mail.digits ?? "")", "email": "ana@example.org"}"#
            let reply = try await world.api.post("/v1/auth/sign-in", key: user.token, body)
            #expect(reply.status == 200, "\(reply.text)")
            let linked = try AccountWorld.Session(reply)
            #expect(linked.id == user.id)
            let account = try await world.user(linked.token)
            #expect(account["email"].text == "ana@example.org" && account["email_verified"].bool && !account["anonymous"].bool)
            #expect(try await world.api.get("/v1/auth/user", key: user.token).status == 401)
            world.clock.advance(by: .minutes(6))
            let late = try await world.mail("sign_in", "ana@new.example")
            let change = #"{"method": "code", "code": "\#(late.digits ?? "")", "email": "ana@new.example"}"#
            let refused = try await world.api.post("/v1/auth/sign-in", key: linked.token, change)
            #expect(try refused.status == 403 && JSON(refused)["code"].text == "recent_login_required")
        }
    }
}
