// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform
import TestSupport
import Testing

@testable import ingestd

/// The conveniences of Firebase's emulator, and all that must not have them.
@Suite struct FirebaseEmulatorTests {
    private static func use(_ body: @Sendable (FirebaseWorld) async throws -> Void) async throws {
        try await FirebaseWorld.use(configure: { ($0.accounts.emulator, $0.mode) = (true, .development) }, body)
    }

    private static var unsigned: String {
        let times = #""iat": 1796000000, "exp": 1796003600"#
        let claims =
            #"{"iss": "firebase-auth-emulator@example.com", "sub": "firebase-auth-emulator@example.com", "aud": "x", "uid": "bo", \#(times)}"#
        return Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8)) + "." + Base64URL.encode(Array(claims.utf8)) + "."
    }

    @Test func `any key, the bearer owner and unsigned tokens are accepted on this machine`() async throws {
        try await Self.use { firebase in
            let made = try await firebase.client(
                "signUp", #"{"email": "ana@example.org", "password": "\#(FirebaseWorld.password)"}"#, key: "fake-api-key")
            #expect(made.status == 200, "\(made.text)")
            let user = try FirebaseWorld.Session(made)
            // The session belongs to the app's ingest key, so its tokens work elsewhere.
            #expect(try await firebase.api.get("/v1/auth/user", key: user.token).status == 200)
            let body = #"{"localId": ["\#(user.id)"]}"#
            #expect(try JSON(try await firebase.server("/accounts:lookup", body, key: "owner"))["users"].items.count == 1)
            let signedIn = try await firebase.client("signInWithCustomToken", #"{"token": "\#(Self.unsigned)"}"#, key: "anything")
            #expect(try JSON(signedIn)["isNewUser"].bool, "\(signedIn.text)")
            let page = ["Origin": "http://localhost:5173"]
            #expect(try await firebase.client("signUp", "{}", key: "fake-api-key", headers: page).status == 200)
            let config = try await firebase.api.get("/emulator/v1/projects/old-shop-1a2b/config")
            #expect(try JSON(config)["signIn"]["email"]["enabled"].bool)
            #expect(try await firebase.api.request("DELETE", "/emulator/v1/projects/old-shop-1a2b/accounts").status == 200)
            let left = try JSON(try await firebase.server("/accounts:query", #"{"returnUserInfo": false}"#, key: "owner"))
            #expect(left["recordsCount"].text == "0")
        }
    }

    @Test func `pages of other machines and other hosts have no conveniences`() async throws {
        try await Self.use { firebase in
            let strange = [
                ["Origin": "https://evil.example"], ["Origin": "null"], ["Origin": "http://localhost.evil.example"], ["X-Forwarded-For": "192.0.2.1"],
            ]
            for headers in strange {
                let reply = try await firebase.client("signUp", "{}", key: "fake-api-key", headers: headers)
                #expect(reply.status == 401 || reply.status == 403, "\(headers) \(reply.text)")
                let owner = try await firebase.api.post(
                    "\(FirebaseWorld.v1)/projects/old-shop-1a2b/accounts:lookup", key: "owner", headers: headers, #"{"localId": ["x"]}"#)
                #expect(owner.status == 401 || owner.status == 403, "\(headers)")
                let removed = try await firebase.api.request("DELETE", "/emulator/v1/projects/old-shop-1a2b/accounts", headers: headers)
                #expect(removed.status == 404, "\(headers)")
            }
            // A name that points to this machine for a page of another one.
            let rebound = try await HTTPConnection(.port(firebase.api.port)).exchange(
                Array("DELETE /emulator/v1/projects/old-shop-1a2b/accounts HTTP/1.1\r\nHost: evil.example\r\n\r\n".utf8), toHead: false)
            #expect(rebound.status == 404)
        }
    }

    @Test func `without the setting, and in production, nothing of it exists`() async throws {
        for (emulator, mode) in [(false, Configuration.Mode.development), (true, .production)] {
            try await FirebaseWorld.use(configure: { ($0.accounts.emulator, $0.mode) = (emulator, mode) }) { firebase in
                #expect(try await firebase.client("signUp", "{}", key: "fake-api-key").status == 401)
                try FirebaseWorld.expect(try await firebase.server("/accounts:lookup", "{}", key: "owner"), 401, "UNAUTHENTICATED")
                let unsigned = try await firebase.client("signInWithCustomToken", #"{"token": "\#(Self.unsigned)"}"#)
                try FirebaseWorld.expect(unsigned, 400, "INVALID_CUSTOM_TOKEN")
                #expect(try await firebase.api.request("DELETE", "/emulator/v1/projects/old-shop-1a2b/accounts").status == 404)
            }
        }
    }
}
