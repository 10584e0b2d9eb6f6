// SPDX-License-Identifier: Apache-2.0

import Accounts
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Authenticator apps as second factors, as Firebase's SDKs enroll and use them.
@Suite struct FirebaseFactorTests {
    @Test func `an enrolled app is asked for at every sign-in`() async throws {
        try await FirebaseWorld.use { firebase in
            let (other, user) = (try await firebase.user(), try await firebase.signIn())
            let app = try await Enrolled(firebase, user)
            #expect(try FirebaseWorld.claims(app.token)["firebase"]["sign_in_second_factor"].text == "totp")
            // A session that showed one factor only has ended.
            try FirebaseWorld.expect(await firebase.lookup(other.token), 400, "TOKEN_EXPIRED")
            let shown = try JSON(await firebase.lookup(app.token))["users"][0]["mfaInfo"]
            #expect(shown[0]["mfaEnrollmentId"].text == app.id && shown[0]["displayName"].text == "Phone" && shown[0]["totpInfo"].exists)
            #expect(shown[0]["enrolledAt"].text.hasSuffix("Z") && shown.items.count == 1)

            let first = try await firebase.client("signInWithPassword", FirebaseWorld.credentials)
            let json = try JSON(first)
            #expect(first.status == 200 && json["localId"].text == user.id && json["registered"].bool && first.headers["cache-control"] == "no-store")
            #expect(!json["idToken"].exists && !json["refreshToken"].exists && json["mfaInfo"][0]["mfaEnrollmentId"].text == app.id)
            let pending = json["mfaPendingCredential"].text
            try FirebaseWorld.expect(await app.finish(pending, app.wrongCode), 400, "INVALID_CODE")
            let finished = try await app.finish(pending, app.code)
            let tokens = try JSON(finished)
            #expect(finished.status == 200 && finished.headers["cache-control"] == "no-store", "\(finished.text)")
            #expect(try FirebaseWorld.claims(tokens["idToken"].text)["firebase"]["sign_in_second_factor"].text == "totp")
            #expect(try JSON(await firebase.token(tokens["refreshToken"].text))["user_id"].text == user.id)
            // A pending sign-in ends with its session, and a code counts once.
            try FirebaseWorld.expect(await app.finish(pending, app.code), 400, "INVALID_MFA_PENDING_CREDENTIAL")
            let again = try await firebase.pending()
            try FirebaseWorld.expect(await app.finish(again, app.code), 400, "INVALID_CODE")
            firebase.world.clock.advance(by: .minutes(6))
            try FirebaseWorld.expect(await app.finish(again, app.code), 400, "INVALID_MFA_PENDING_CREDENTIAL")
        }
    }

    @Test func `a recovery code replaces a lost app, and a withdrawn app is asked for no more`() async throws {
        try await FirebaseWorld.use { firebase in
            let app = try await Enrolled(firebase, try await firebase.user())
            let made = try await firebase.api.post("/v1/auth/user/recovery-codes", key: app.token, "{}")
            let codes = try JSON(made)["recovery_codes"].items.map(\.text)
            #expect(codes.count == 10, "\(made.text)")
            let pending = try await firebase.pending()
            try FirebaseWorld.expect(await app.finish(pending, "aaaaa-aaaaa"), 400, "INVALID_CODE")
            let finished = try await app.finish(pending, codes.first ?? "")
            #expect(finished.status == 200, "\(finished.text)")
            let token = try JSON(finished)["idToken"].text
            try FirebaseWorld.expect(
                await firebase.factor("mfaEnrollment:withdraw", #"{"idToken": "\#(token)", "mfaEnrollmentId": "factor_x"}"#), 400,
                "MFA_ENROLLMENT_NOT_FOUND")
            let withdrawn = try await firebase.factor("mfaEnrollment:withdraw", #"{"idToken": "\#(token)", "mfaEnrollmentId": "\#(app.id)"}"#)
            #expect(try withdrawn.status == 200 && JSON(withdrawn)["idToken"].exists && JSON(withdrawn)["refreshToken"].exists, "\(withdrawn.text)")
            #expect(try JSON(await firebase.client("signInWithPassword", FirebaseWorld.credentials))["idToken"].exists)
        }
    }

    @Test func `every error has Firebase's word`() async throws {
        try await FirebaseWorld.use { firebase in
            let user = try await firebase.user()
            let bearer = #""idToken": "\#(user.token)""#
            let anonymous = try FirebaseWorld.Session(await firebase.client("signUp", "{}"))
            let info = #""totpVerificationInfo": {"sessionInfo": "factor_x", "verificationCode": "123456"}"#
            for (word, body, status, expected) in [
                ("mfaEnrollment:start", "{\(bearer)}", 501, "OPERATION_NOT_ALLOWED"),
                ("mfaEnrollment:start", #"{\#(bearer), "phoneEnrollmentInfo": {"phoneNumber": "+491701234567"}}"#, 501, "OPERATION_NOT_ALLOWED"),
                ("mfaEnrollment:start", #"{"totpEnrollmentInfo": {}}"#, 400, "MISSING_ID_TOKEN"),
                ("mfaEnrollment:start", #"{"idToken": "x", "totpEnrollmentInfo": {}}"#, 400, "INVALID_ID_TOKEN"),
                ("mfaEnrollment:start", #"{"idToken": "\#(anonymous.token)", "totpEnrollmentInfo": {}}"#, 400, "UNSUPPORTED_FIRST_FACTOR"),
                ("mfaEnrollment:finalize", "{\(bearer)}", 501, "OPERATION_NOT_ALLOWED"),
                ("mfaEnrollment:finalize", #"{\#(bearer), "totpVerificationInfo": 5}"#, 400, "INVALID_ARGUMENT"),
                ("mfaEnrollment:finalize", #"{\#(bearer), "totpVerificationInfo": {}}"#, 400, "MISSING_SESSION_INFO"),
                ("mfaEnrollment:finalize", #"{\#(bearer), "totpVerificationInfo": {"sessionInfo": "x"}}"#, 400, "MISSING_CODE"),
                ("mfaEnrollment:finalize", "{\(bearer), \(info)}", 400, "SESSION_EXPIRED"),
                ("mfaEnrollment:withdraw", "{\(bearer)}", 400, "MISSING_MFA_ENROLLMENT_ID"),
                ("mfaSignIn:start", #"{"mfaPendingCredential": "x", "phoneSignInInfo": {}}"#, 501, "OPERATION_NOT_ALLOWED"),
                ("mfaSignIn:finalize", "{\(info)}", 400, "MISSING_MFA_PENDING_CREDENTIAL"),
                ("mfaSignIn:finalize", #"{"mfaPendingCredential": "x"}"#, 501, "OPERATION_NOT_ALLOWED"),
                ("mfaSignIn:finalize", #"{"mfaPendingCredential": "x", "totpVerificationInfo": {}}"#, 400, "MISSING_CODE"),
                ("mfaSignIn:finalize", #"{"mfaPendingCredential": "x", \#(info)}"#, 400, "INVALID_MFA_PENDING_CREDENTIAL"),
            ] {
                let reply = try await firebase.factor(word, body)
                #expect(try reply.status == status && FirebaseWorld.word(reply) == expected, "\(word) \(body) \(reply.text)")
            }
            // A secret that is confirmed with a wrong code waits on, and for a quarter of an hour at most.
            let app = try await Enrolling(firebase, user.token)
            try FirebaseWorld.expect(await app.confirm(app.wrongCode), 400, "INVALID_CODE")
            #expect(try !JSON(await firebase.lookup(user.token))["users"][0]["mfaInfo"].exists)
            firebase.world.clock.advance(by: .minutes(16))
            let later = try await firebase.signIn()
            try FirebaseWorld.expect(await app.confirm(app.code, as: later.token), 400, "SESSION_EXPIRED")
            try FirebaseWorld.expect(await app.confirm(app.code), 400, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        }
    }

    @Test func `an app has five factors at most`() async throws {
        try await FirebaseWorld.use { firebase in
            var session = try await firebase.user()
            for _ in 0..<5 { session.token = try await Enrolled(firebase, session).token }
            let one = try await firebase.factor("mfaEnrollment:start", #"{"idToken": "\#(session.token)", "totpEnrollmentInfo": {}}"#)
            try FirebaseWorld.expect(one, 400, "SECOND_FACTOR_LIMIT_EXCEEDED")
        }
    }

    @Test func `servers see factors, and remove them`() async throws {
        try await FirebaseWorld.use { firebase in
            let app = try await Enrolled(firebase, try await firebase.user())
            let name = #""localId": "\#(app.user)""#
            #expect(try JSON(await firebase.server("/accounts:lookup", "{\(name)}"))["users"][0]["mfaInfo"][0]["mfaEnrollmentId"].text == app.id)
            let listed = try await firebase.api.get("\(FirebaseWorld.v1)/projects/old-shop-1a2b/accounts:batchGet", key: firebase.server)
            #expect(try JSON(listed)["users"][0]["mfaInfo"][0]["mfaEnrollmentId"].text == app.id)
            #expect(try await firebase.server("/accounts:update", #"{\#(name), "mfa": {"enrollments": []}}"#).status == 200)
            #expect(try JSON(await firebase.client("signInWithPassword", FirebaseWorld.credentials))["idToken"].exists)
        }
    }

    @Test func `the second factor follows a provider's token, too, and a password may be added`() async throws {
        try await FirebaseProviderWorld.use { world in
            let firebase = world.firebase
            let app = try await Enrolled(firebase, FirebaseWorld.Session(await world.signIn(world.corp.token("u-1"))))
            let first = try await world.signIn(world.corp.token("u-1"))
            #expect(try first.status == 200 && !JSON(first)["idToken"].exists && !JSON(first)["isNewUser"].exists, "\(first.text)")
            let token = try JSON(await app.finish(JSON(first)["mfaPendingCredential"].text, app.code))["idToken"].text
            #expect(try FirebaseWorld.claims(token)["sub"].text == app.user)
            for call in ["signUp", "update"] {
                let email = "\(call.lowercased())@example.org"
                let body = #"{"idToken": "\#(token)", "email": "\#(email)", "password": "\#(FirebaseWorld.password)"}"#
                if call == "update" {
                    // The account has an address by now.
                    try FirebaseWorld.expect(await firebase.client(call, body), 400, "EMAIL_CHANGE_NEEDS_VERIFICATION")
                } else {
                    let reply = try await firebase.client(call, body)
                    #expect(try reply.status == 200 && FirebaseWorld.Session(reply).id == app.user, "\(reply.text)")
                }
            }
            let other = try FirebaseWorld.Session(await world.signIn(world.corp.token("u-2")))
            let body = #"{"idToken": "\#(other.token)", "email": "bob@example.org", "password": "\#(FirebaseWorld.password)"}"#
            let updated = try JSON(await firebase.client("update", body))
            #expect(updated["email"].text == "bob@example.org" && updated["idToken"].exists && updated["providerUserInfo"].items.count == 2)
        }
    }
}

/// An authenticator app before its first code.
struct Enrolling: Sendable {
    let firebase: FirebaseWorld
    let token: String
    let session: String
    let secret: [UInt8]

    init(_ firebase: FirebaseWorld, _ token: String) async throws {
        (self.firebase, self.token) = (firebase, token)
        let reply = try await firebase.factor("mfaEnrollment:start", #"{"idToken": "\#(token)", "totpEnrollmentInfo": {}}"#)
        #expect(reply.status == 200 && reply.headers["cache-control"] == "no-store", "\(reply.text)")
        let info = try JSON(reply)["totpSessionInfo"]
        #expect(info["verificationCodeLength"].number == 6 && info["periodSec"].number == 30 && info["hashingAlgorithm"].text == "SHA1")
        #expect(info["finalizeEnrollmentTime"].text.hasSuffix("Z"))
        (session, secret) = (info["sessionInfo"].text, Base32.bytes(info["sharedSecretKey"].text))
    }

    var code: String { TOTP.code(secret, step: step) }

    /// A code that is none of those that count now.
    var wrongCode: String {
        let right = (-1...1).map { TOTP.code(secret, step: step + $0) }
        return ["000000", "111111", "222222", "333333"].first { !right.contains($0) } ?? ""
    }

    private var step: Int64 { TOTP.step(at: firebase.world.clock.now) }

    func confirm(_ code: String, as token: String? = nil) async throws -> Reply {
        let info = #"{"sessionInfo": "\#(session)", "verificationCode": "\#(code)"}"#
        return try await firebase.factor(
            "mfaEnrollment:finalize", #"{"idToken": "\#(token ?? self.token)", "displayName": "Phone", "totpVerificationInfo": \#(info)}"#)
    }
}

/// An authenticator app that is asked for.
struct Enrolled: Sendable {
    let id: String
    let user: String
    /// The ID token after the enrollment.
    let token: String
    private let app: Enrolling

    init(_ firebase: FirebaseWorld, _ session: FirebaseWorld.Session) async throws {
        app = try await Enrolling(firebase, session.token)
        let reply = try await app.confirm(app.code)
        #expect(reply.status == 200, "\(reply.text)")
        (id, user, token) = (app.session, session.id, try JSON(reply)["idToken"].text)
        // The code of the enrollment is used up.
        firebase.world.clock.advance(by: .seconds(30))
    }

    var code: String { app.code }
    var wrongCode: String { app.wrongCode }

    func finish(_ pending: String, _ code: String) async throws -> Reply {
        let fields = #""mfaEnrollmentId": "\#(id)", "totpVerificationInfo": {"verificationCode": "\#(code)"}"#
        return try await app.firebase.factor("mfaSignIn:finalize", #"{"mfaPendingCredential": "\#(pending)", \#(fields)}"#)
    }
}

extension FirebaseWorld {
    static let credentials = #"{"email": "ana@example.org", "password": "\#(password)"}"#

    /// Sends a call about second factors.
    func factor(_ word: String, _ body: String) async throws -> Reply {
        try await api.post("\(Self.v2)/accounts/\(word)?key=\(world.keys.ingest)", body)
    }

    func signIn() async throws -> Session { try Session(await client("signInWithPassword", Self.credentials)) }

    func pending() async throws -> String {
        try JSON(await client("signInWithPassword", Self.credentials))["mfaPendingCredential"].text
    }
}
