// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Identities and second factors that servers give and take with `accounts:update`.
@Suite struct FirebaseLinkingTests {
    private static func link(_ firebase: FirebaseWorld, _ user: String, _ provider: String, _ subject: String) async throws -> Reply {
        let info = #"{"providerId": "\#(provider)", "rawId": "\#(subject)", "email": "ana@corp.example", "displayName": "Ana"}"#
        return try await firebase.server("/accounts:update", #"{"localId": "\#(user)", "linkProviderUserInfo": \#(info)}"#)
    }

    @Test func `a linked user of a provider signs in to the account`() async throws {
        try await FirebaseProviderWorld.use { world in
            let firebase = world.firebase
            let user = try await firebase.user()
            let linked = try await Self.link(firebase, user.id, "oidc.corp", "u-1")
            let provider = try JSON(linked)["providerUserInfo"][1]
            #expect(linked.status == 200 && provider["providerId"].text == "oidc.corp" && provider["rawId"].text == "u-1", "\(linked.text)")
            #expect(provider["email"].text == "ana@corp.example")
            // The user stays signed in, as with Firebase.
            #expect(try await firebase.lookup(user.token).status == 200)
            #expect(try await FirebaseWorld.Session(world.signIn(world.corp.token("u-1"))).id == user.id)
            let events = try JSON(await firebase.api.get("/v1/auth/audit?event=identity_linked", key: firebase.world.keys.admin))
            #expect(events["items"].items.map { $0["method"].text } == ["oidc.corp"], "\(events.source)")
            // The same once more changes nothing; another user of the provider takes its place and ends the sessions.
            #expect(try await Self.link(firebase, user.id, "oidc.corp", "u-1").status == 200)
            #expect(try await firebase.lookup(user.token).status == 200)
            #expect(try await Self.link(firebase, user.id, "oidc.corp", "u-2").status == 200)
            try FirebaseWorld.expect(await firebase.lookup(user.token), 400, "TOKEN_EXPIRED")
            #expect(try await FirebaseWorld.Session(world.signIn(world.corp.token("u-1"))).id != user.id)
            #expect(try await FirebaseWorld.Session(world.signIn(world.corp.token("u-2"))).id == user.id)
        }
    }

    @Test func `a link turns an anonymous user into one who can sign in`() async throws {
        try await FirebaseProviderWorld.use { world in
            let firebase = world.firebase
            let user = try FirebaseWorld.Session(await firebase.client("signUp", "{}"))
            #expect(try await Self.link(firebase, user.id, "oidc.corp", "u-1").status == 200)
            let shown = try JSON(await firebase.api.get("/v1/auth/accounts/\(user.id)", key: firebase.server))
            #expect(!shown["anonymous"].bool && shown["identities"][0]["subject"].text == "u-1", "\(shown.source)")
            #expect(try await FirebaseWorld.Session(world.signIn(world.corp.token("u-1"))).id == user.id)
        }
    }

    @Test func `a link of another's user, or without sense, is refused and changes nothing`() async throws {
        try await FirebaseProviderWorld.use { world in
            let firebase = world.firebase
            let (ana, bob) = (try await firebase.user(), try await firebase.user("bob@example.org"))
            #expect(try await Self.link(firebase, ana.id, "oidc.corp", "u-1").status == 200)
            try FirebaseWorld.expect(await Self.link(firebase, bob.id, "oidc.corp", "u-1"), 400, "FEDERATED_USER_ID_ALREADY_LINKED")
            let cases = [
                ("{}", "MISSING_PROVIDER_ID"), (#"{"providerId": "oidc.corp"}"#, "MISSING_RAW_ID"),
                (#"{"rawId": "u-9"}"#, "MISSING_PROVIDER_ID"), (#"{"providerId": "password", "rawId": "x"}"#, "INVALID_PROVIDER_ID"),
                (#"{"providerId": "phone", "rawId": "+4930123456"}"#, "INVALID_PROVIDER_ID"),
                (#"{"providerId": "a\u001fb", "rawId": "u-9"}"#, "INVALID_ARGUMENT"),
                (#"{"providerId": "oidc.corp", "rawId": "u\u001e9"}"#, "INVALID_ARGUMENT"),
                (#"{"providerId": "oidc.corp", "rawId": "\#(String(repeating: "u", count: 257))"}"#, "INVALID_ARGUMENT"),
                (#"{"providerId": "oidc.corp", "rawId": "u-9", "email": "a\r\nb@example.org"}"#, "INVALID_EMAIL"),
                (#"[]"#, "INVALID_ARGUMENT"),
            ]
            for (info, word) in cases {
                let body = #"{"localId": "\#(bob.id)", "displayName": "Eve", "linkProviderUserInfo": \#(info)}"#
                try FirebaseWorld.expect(await firebase.server("/accounts:update", body), 400, word)
            }
            let shown = try JSON(await firebase.server("/accounts:lookup", #"{"localId": ["\#(bob.id)"]}"#))["users"][0]
            #expect(shown["providerUserInfo"].items.count == 1 && !shown["displayName"].exists, "\(shown.source)")
            // Users link with the word of a provider only.
            let own = #"{"idToken": "\#(bob.token)", "linkProviderUserInfo": {"providerId": "oidc.corp", "rawId": "u-9"}}"#
            _ = try await firebase.client("update", own)
            #expect(try await FirebaseWorld.Session(world.signIn(world.corp.token("u-9"))).id != bob.id)
        }
    }

    @Test func `an account has a bounded number of identities`() async throws {
        try await FirebaseWorld.use { firebase in
            let user = try await firebase.user()
            for number in 0..<ImportedIdentity.most { #expect(try await Self.link(firebase, user.id, "oidc.p\(number)", "u").status == 200) }
            let reply = try await Self.link(firebase, user.id, "oidc.more", "u")
            #expect(try reply.status >= 400 && FirebaseWorld.word(reply) == "QUOTA_EXCEEDED", "\(reply.text)")
            #expect(try await Self.link(firebase, user.id, "oidc.p0", "v").status == 200)
        }
    }

    @Test func `servers remove one of two authenticator apps, and cannot add any`() async throws {
        try await FirebaseWorld.use { firebase in
            var session = try await firebase.user()
            let first = try await Enrolled(firebase, session)
            session.token = first.token
            let second = try await Enrolled(firebase, session)
            let name = #""localId": "\#(first.user)""#
            func update(_ enrollments: String) async throws -> Reply {
                try await firebase.server("/accounts:update", #"{\#(name), "displayName": "Eve", "mfa": {"enrollments": \#(enrollments)}}"#)
            }
            let kept = #"{"mfaEnrollmentId": "\#(second.id)", "displayName": "Tablet", "totpInfo": {}}"#
            let cases = [
                (#"[{"displayName": "x"}]"#, "INVALID_MFA_ENROLLMENT_ID"), (#"[{"totpInfo": {}}]"#, "INVALID_MFA_ENROLLMENT_ID"),
                (#"[{"mfaEnrollmentId": "factor_x", "totpInfo": {}}]"#, "MFA_ENROLLMENT_NOT_FOUND"),
                ("[\(kept), \(kept)]", "DUPLICATE_MFA_ENROLLMENT_ID"), (#"[\#(kept), {"phoneInfo": "+491701234567"}]"#, "OPERATION_NOT_ALLOWED"),
                ("{}", "INVALID_ARGUMENT"), ("[1]", "INVALID_ARGUMENT"),
            ]
            for (enrollments, word) in cases { try FirebaseWorld.expect(await update(enrollments), 400, word) }
            let before = try JSON(await firebase.server("/accounts:lookup", "{\(name)}"))["users"][0]
            #expect(before["mfaInfo"].items.count == 2 && !before["displayName"].exists, "\(before.source)")

            #expect(try await update("[\(kept)]").status == 200)
            let after = try JSON(await firebase.server("/accounts:lookup", "{\(name)}"))["users"][0]["mfaInfo"]
            #expect(after.items.count == 1 && after[0]["mfaEnrollmentId"].text == second.id && after[0]["displayName"].text == "Tablet")
            let shown = try JSON(await firebase.api.get("/v1/auth/accounts/\(first.user)", key: firebase.server))
            #expect(shown["recovery_codes"].number == 10, "\(shown.source)")
            let pending = try await firebase.pending()
            try FirebaseWorld.expect(await first.finish(pending, first.code), 400, "INVALID_CODE")
            #expect(try await second.finish(pending, second.code).status == 200)
            let events = try JSON(await firebase.api.get("/v1/auth/audit?event=factor_removed", key: firebase.world.keys.admin))
            #expect(events["items"].items.count == 1)
            let made = #"{"email": "sms@example.org", "emailVerified": true, "mfaInfo": [{"phoneInfo": "+491701234567", "displayName": "Phone"}]}"#
            try FirebaseWorld.expect(await firebase.server("/accounts", made), 400, "OPERATION_NOT_ALLOWED")
            try FirebaseWorld.expect(await firebase.server("/accounts:update", #"{"localId": "nobody", "mfa": {}}"#), 400, "USER_NOT_FOUND")
        }
    }
}
