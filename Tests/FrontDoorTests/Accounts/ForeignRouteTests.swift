// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Every route of accounts with the keys of one app and the tokens, IDs and addresses of another's user.
@Suite struct ForeignRouteTests {
    /// Two apps with a user each, of the same address.
    private struct World {
        let firebase: FirebaseWorld
        let user: FirebaseWorld.Session
        let other: AppKeys
        /// A key of the other app with the role `accounts`.
        let server: String

        static func use(_ body: @Sendable (World) async throws -> Void) async throws {
            try await FirebaseWorld.use(methods: "password,anonymous,custom_token,code", configure: { $0.mail = Self.mail }) { firebase in
                let other = try await firebase.api.makeApp("other")
                let settings = #"{"project": "other-5c6d", "auth_methods": "password,anonymous,custom_token,code"}"#
                #expect(try await firebase.api.asOperator("PATCH", "/v1/apps/\(other.app)", settings).status == 200)
                let made = try JSON(try await firebase.api.asOperator("POST", "/v1/apps/\(other.app)/keys", #"{"role": "accounts"}"#))
                try await body(World(firebase: firebase, user: try await firebase.user(), other: other, server: made["key"].text))
            }
        }

        private static let mail: MailOptions = {
            var options = MailOptions()
            (options.url, options.from) = ("smtp://localhost:1", "a@b.example")
            return options
        }()

        /// The account and its sessions as its own app sees them.
        func account() async throws -> String {
            try await firebase.api.get("/v1/auth/accounts/\(user.id)", key: firebase.server).text
        }

        /// A body with everything about the user that a client of the other app could know.
        var everything: String {
            let fields = [
                "idToken", "localId", "refreshToken", "email", "password", "displayName", "deleteProvider", "requestType", "newEmail",
                "mfaEnrollmentId",
            ]
            let values = [
                "\"\(user.token)\"", "\"\(user.id)\"", "\"\(user.refresh)\"", "\"ana@example.org\"", "\"another horse battery\"", "\"Eve\"",
                "[\"password\"]", "\"VERIFY_AND_CHANGE_EMAIL\"", "\"eve@example.org\"", "\"factor_x\"",
            ]
            let more = #""totpEnrollmentInfo": {}, "totpVerificationInfo": {"sessionInfo": "factor_x", "verificationCode": "000000"}"#
            return "{" + zip(fields, values).map { "\"\($0)\": \($1)" }.joined(separator: ", ") + ", \(more)}"
        }
    }

    @Test func `calls of apps take ID tokens of their own app only`() async throws {
        try await World.use { world in
            let before = try await world.account()
            let words = [
                "signUp", "lookup", "update", "sendOobCode", "delete", "mfaEnrollment:start", "mfaEnrollment:finalize", "mfaEnrollment:withdraw",
                "signupNewUser", "getAccountInfo", "setAccountInfo", "getOobConfirmationCode", "deleteAccount",
            ]
            var seen: [String] = []
            for route in Routes.all where route.method == .post && route.pattern.contains("/identitytoolkit") && !route.pattern.contains("{") {
                let reply = try await world.firebase.api.post("\(route.pattern)?key=\(world.other.ingest)", world.everything)
                #expect(!reply.text.contains(world.user.id) && reply.status != 500, "\(route.row): \(reply.text)")
                guard let word = words.first(where: { route.pattern.hasSuffix(":" + $0) || route.pattern.hasSuffix("/" + $0) }) else { continue }
                seen.append(word)
                try FirebaseWorld.expect(reply, 400, "INVALID_ID_TOKEN")
            }
            #expect(seen.sorted() == words.sorted())
            let form = "grant_type=refresh_token&refresh_token=\(world.user.refresh)"
            let headers = ["Content-Type": "application/x-www-form-urlencoded"]
            let token = try await world.firebase.api.post("/securetoken.googleapis.com/v1/token?key=\(world.other.ingest)", headers: headers, form)
            try FirebaseWorld.expect(token, 400, "TOKEN_EXPIRED")
            let cookie = try await world.firebase.api.post(
                "\(FirebaseWorld.v1)/projects/other-5c6d:createSessionCookie", key: world.server, #"{"idToken": "\#(world.user.token)"}"#)
            try FirebaseWorld.expect(cookie, 400, "INVALID_ID_TOKEN")
            #expect(try await world.account() == before)
        }
    }

    @Test func `servers see and change accounts of their own project only`() async throws {
        try await World.use { world in
            let before = try await world.account()
            var count = 0
            for route in Routes.all where route.pattern.contains("/identitytoolkit") && route.pattern.contains("/projects/{app}") {
                let path = route.pattern.replacing("{app}", with: "old-shop-1a2b").replacing("{resource}", with: "tenants").replacing(
                    "{id}", with: "t")
                let body = route.method == .get ? nil : Array(world.everything.utf8)
                let reply = try await world.firebase.api.request(
                    route.method.name, path, key: world.server, headers: ["Content-Type": "application/json"], body: body)
                try FirebaseWorld.expect(reply, 403, "INSUFFICIENT_PERMISSION")
                count += 1
            }
            #expect(count > 10)
            for call in ["lookup", "update", "delete", "batchDelete"] {
                let body =
                    #"{"localId": \#(["update", "delete"].contains(call) ? "\"\(world.user.id)\"" : "[\"\(world.user.id)\"]"), "localIds": ["\#(world.user.id)"]}"#
                let reply = try await world.firebase.api.post("\(FirebaseWorld.v1)/projects/other-5c6d/accounts:\(call)", key: world.server, body)
                #expect(!reply.text.contains("ana@example.org"), "\(call): \(reply.text)")
            }
            #expect(try await world.account() == before)
        }
    }

    @Test func `native routes know no account of another app, and no key of another app in the query`() async throws {
        try await World.use { world in
            let before = try await world.account()
            var count = 0
            for route in Routes.all where route.pattern.hasPrefix("/v1/auth/accounts/{uid}") {
                for query in ["", "?app=1", "?app=old-shop-1a2b"] {
                    let path = route.pattern.replacing("{uid}", with: world.user.id) + query
                    let body = route.method == .get ? nil : Array("{}".utf8)
                    let reply = try await world.firebase.api.request(route.method.name, path, key: world.server, body: body)
                    #expect(reply.status == 404, "\(route.row)\(query): \(reply.text)")
                }
                count += 1
            }
            #expect(count >= 6)
            for path in ["accounts", "accounts/export", "audit", "figures", "accounts?search=ana"] {
                let reply = try await world.firebase.api.get("/v1/auth/\(path)\(path.contains("?") ? "&" : "?")app=1", key: world.server)
                #expect(!reply.text.contains("ana@example.org") && !reply.text.contains(world.user.id), "\(path): \(reply.text)")
            }
            // The signed-in user of one app has no say in another, whatever app the query names.
            for route in Routes.all where route.access == .user && route.method != .get {
                let path = route.pattern.replacing("{provider}", with: "google.com").replacing("{id}", with: "x") + "?app=\(world.other.app)"
                let reply = try await world.firebase.api.request(
                    route.method.name, path, key: world.user.token, headers: ["Content-Type": "application/json"], body: Array("[]".utf8))
                #expect((400..<500).contains(reply.status), "\(route.row): \(reply.text)")
            }
            #expect(try await world.account() == before)
            #expect(try await world.firebase.lookup(world.user.token).status == 200)
        }
    }
}
