// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AcrossStores
import Crypto
import Platform
import TestSupport
import Testing

@testable import ingestd

/// The calls of Firebase's server SDKs.
@Suite struct FirebaseServerTests {
    @Test func `a server creates, finds, changes and deletes accounts`() async throws {
        try await FirebaseWorld.use { firebase in
            let body = #"{"localId": "ana", "email": "ana@example.org", "password": "\#(FirebaseWorld.password)", "phoneNumber": "+4930123456"}"#
            let made = try await firebase.server("/accounts", body)
            #expect(try JSON(made)["localId"].text == "ana" && JSON(made)["kind"].text == "identitytoolkit#SignupNewUserResponse")
            for query in [#""localId": ["ana"]"#, #""email": ["Ana@Example.org"]"#, #""phoneNumber": ["+4930123456"]"#] {
                let found = try JSON(try await firebase.server("/accounts:lookup", "{\(query)}"))
                #expect(found["users"].items.count == 1 && found["users"][0]["localId"].text == "ana", "\(query)")
                #expect(found["users"][0]["passwordHash"].text == "UkVEQUNURUQ=")
            }
            let nobody = try await firebase.server("/accounts:lookup", #"{"localId": ["nobody"], "federatedUserId": []}"#)
            #expect(try nobody.status == 200 && !JSON(nobody)["users"].exists)
            let claims = #"{"localId": "ana", "customAttributes": "{\"admin\":true}", "displayName": "Ana", "emailVerified": true}"#
            #expect(try await firebase.server("/accounts:update", claims).status == 200)
            let session = try FirebaseWorld.Session(
                try await firebase.client("signInWithPassword", #"{"email": "ana@example.org", "password": "\#(FirebaseWorld.password)"}"#))
            #expect(try session.claims["admin"].bool && session.claims["name"].text == "Ana" && session.claims["email_verified"].bool)
            let removed = #"{"localId": "ana", "deleteAttribute": ["DISPLAY_NAME"], "deleteProvider": ["phone"], "customAttributes": "{}"}"#
            #expect(try await firebase.server("/accounts:update", removed).status == 200)
            let shown = try JSON(try await firebase.server("/accounts:lookup", #"{"localId": ["ana"]}"#))["users"][0]
            #expect(!shown["displayName"].exists && !shown["phoneNumber"].exists && !shown["customAttributes"].exists)
            #expect(try await firebase.server("/accounts:delete", #"{"localId": "ana"}"#).status == 200)
            try FirebaseWorld.expect(try await firebase.server("/accounts:delete", #"{"localId": "ana"}"#), 400, "USER_NOT_FOUND")
        }
    }

    @Test func `errors of servers have Firebase's words`() async throws {
        try await FirebaseWorld.use { firebase in
            let body = #"{"localId": "ana", "email": "ana@example.org", "phoneNumber": "+4930123456"}"#
            #expect(try await firebase.server("/accounts", body).status == 200)
            let large = String(repeating: "a", count: 1_000)
            let cases = [
                ("/accounts", #"{"localId": "ana"}"#, "DUPLICATE_LOCAL_ID"), ("/accounts", #"{"email": "ana@example.org"}"#, "EMAIL_EXISTS"),
                ("/accounts", #"{"phoneNumber": "+4930123456"}"#, "PHONE_NUMBER_EXISTS"),
                ("/accounts", #"{"phoneNumber": "12"}"#, "INVALID_PHONE_NUMBER"), ("/accounts", #"{"email": "x"}"#, "INVALID_EMAIL"),
                ("/accounts", #"{"email": "b@example.org", "password": "short"}"#, "WEAK_PASSWORD"),
                ("/accounts", #"{"password": "\#(FirebaseWorld.password)"}"#, "MISSING_EMAIL"),
                ("/accounts", #"{"localId": "\#(String(repeating: "i", count: 129))"}"#, "INVALID_LOCAL_ID"),
                ("/accounts:update", "{}", "MISSING_LOCAL_ID"), ("/accounts:update", #"{"localId": "nobody"}"#, "USER_NOT_FOUND"),
                ("/accounts:update", #"{"localId": "ana", "customAttributes": "[]"}"#, "INVALID_CLAIMS"),
                ("/accounts:update", #"{"localId": "ana", "customAttributes": "{\"sub\":1}"}"#, "FORBIDDEN_CLAIM"),
                ("/accounts:update", #"{"localId": "ana", "customAttributes": "{\"a\":\"\#(large)\"}"}"#, "CLAIMS_TOO_LARGE"),
                ("/accounts:batchCreate", "{}", "MISSING_USER_ACCOUNT"),
                ("/accounts:batchCreate", #"{"users": [{"localId": "b"}], "hashAlgorithm": "ROT13"}"#, "INVALID_HASH_ALGORITHM"),
                ("/accounts:batchCreate", #"{"users": [{"localId": "b"}], "hashAlgorithm": "SCRYPT"}"#, "INVALID_HASH_ALGORITHM"),
                (":createSessionCookie", #"{"idToken": "a.b.c"}"#, "INVALID_ID_TOKEN"),
                (":createSessionCookie", #"{"idToken": "a.b.c", "validDuration": "299"}"#, "INVALID_DURATION"),
            ]
            for (path, body, word) in cases { try FirebaseWorld.expect(try await firebase.server(path, body), 400, word) }
            for key in [firebase.world.keys.ingest, firebase.world.keys.read, firebase.world.keys.send] {
                try FirebaseWorld.expect(try await firebase.server("/accounts", "{}", key: key), 403, "INSUFFICIENT_PERMISSION")
            }
            let other = try await firebase.api.makeApp("other")
            try FirebaseWorld.expect(try await firebase.server("/accounts:lookup", "{}", key: other.admin), 403, "INSUFFICIENT_PERMISSION")
            let tenant = #"{"tenantId": "t-1"}"#
            try FirebaseWorld.expect(try await firebase.server("/accounts", tenant), 501, "OPERATION_NOT_ALLOWED")
            let refused = [("POST", "tenants"), ("POST", "oauthIdpConfigs"), ("GET", "inboundSamlConfigs/saml.x"), ("DELETE", "tenants/t-1")]
            for (method, resource) in refused {
                let path = "\(FirebaseWorld.v2)/projects/old-shop-1a2b/\(resource)"
                let reply = try await firebase.api.request(method, path, key: firebase.server, body: Array("{}".utf8))
                try FirebaseWorld.expect(reply, 501, "OPERATION_NOT_ALLOWED")
            }
            #expect(try await firebase.api.get("\(FirebaseWorld.v2)/projects/old-shop-1a2b/tenants", key: firebase.server).text == "{}")
        }
    }

    @Test func `accounts are listed, counted and deleted in batches`() async throws {
        try await FirebaseWorld.use { firebase in
            for name in ["a", "b", "c"] { #expect(try await firebase.server("/accounts", #"{"localId": "\#(name)"}"#).status == 200) }
            let path = "\(FirebaseWorld.v1)/projects/old-shop-1a2b/accounts:batchGet"
            var (names, token): ([String], String) = ([], "")
            repeat {
                let page = try JSON(try await firebase.api.get("\(path)?maxResults=2&nextPageToken=\(token)", key: firebase.server))
                names += page["users"].items.map { $0["localId"].text }
                token = page["nextPageToken"].exists ? page["nextPageToken"].text : ""
            } while !token.isEmpty
            #expect(names == ["a", "b", "c"])
            for bad in ["maxResults=0", "maxResults=1001", "nextPageToken=x", "nextPageToken=-1"] {
                try FirebaseWorld.expect(try await firebase.api.get("\(path)?\(bad)", key: firebase.server), 400, "INVALID_ARGUMENT")
            }
            let count = try JSON(try await firebase.server("/accounts:query", #"{"returnUserInfo": false}"#))
            #expect(count["recordsCount"].text == "3" && !count["userInfo"].exists)
            let found = try JSON(try await firebase.server("/accounts:query", #"{"expression": [{"userId": "b"}]}"#))
            #expect(found["userInfo"][0]["localId"].text == "b")
            let kept = try JSON(try await firebase.server("/accounts:batchDelete", #"{"localIds": ["a", "nobody"]}"#))
            #expect(kept["errors"].items.count == 1 && kept["errors"][0]["localId"].text == "a")
            #expect(kept["errors"][0]["message"].text.hasPrefix("NOT_DISABLED"))
            let gone = try await firebase.server("/accounts:batchDelete", #"{"localIds": ["a", "b"], "force": true}"#)
            #expect(try !JSON(gone)["errors"].exists)
            #expect(try JSON(try await firebase.server("/accounts:query", #"{"returnUserInfo": false}"#))["recordsCount"].text == "1")
        }
    }

    @Test func `imported passwords of every kind sign in, and wrong accounts are named`() async throws {
        try await FirebaseWorld.use { firebase in
            // The vector of Firebase's scrypt: https://github.com/firebase/scrypt
            let parameters = """
                "hashAlgorithm": "SCRYPT", "rounds": 8, "memoryCost": 14, "saltSeparator": "Bw==",
                "signerKey": "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
                """
            let hash = "lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ=="
            let users = #"""
                {"localId": "ana", "email": "ana@example.org", "passwordHash": "\#(hash)", "salt": "42xEC-ixf3L2lw==", "createdAt": "1700000000000"},
                {"localId": "ana"}, {"email": "nobody@example.org"}, {"localId": "bo", "email": "ANA@example.org"}, {"localId": "c", "passwordHash": "AA=="},
                {"localId": "d", "email": "d@example.org", "mfaInfo": [{"phoneInfo": "+491701234567"}]}
                """#
            let reply = try await firebase.server("/accounts:batchCreate", "{\(parameters), \"users\": [\(users)]}")
            #expect(reply.status == 200, "\(reply.text)")
            #expect(try JSON(reply)["error"].items.map { $0["index"].number } == [1, 2, 3, 4, 5], "\(reply.text)")
            let signedIn = try await firebase.client("signInWithPassword", #"{"email": "ana@example.org", "password": "user1password"}"#)
            #expect(try FirebaseWorld.Session(signedIn).id == "ana")
            let shown = try JSON(try await firebase.server("/accounts:lookup", #"{"localId": ["ana"]}"#))["users"][0]
            #expect(shown["createdAt"].text == "1700000000000")
            // MD5 is fast, so it is wrapped at once: neither the hash nor its text is in the database.
            let md5 = Base64URL.encode(MD5.hash(Array("NaClswordfish 7".utf8)))
            let fast = #"{"localId": "d", "email": "d@example.org", "passwordHash": "\#(md5)", "salt": "TmFDbA=="}"#
            let wrapped = try await firebase.server("/accounts:batchCreate", #"{"hashAlgorithm": "MD5", "rounds": 1, "users": [\#(fast)]}"#)
            #expect(try wrapped.status == 200 && !JSON(wrapped)["error"].exists, "\(wrapped.text)")
            let stored = try await firebase.world.live.daemon.store.accounts.account(AppID(rawValue: 1), uid: "d")?.password
            #expect(stored?.contains("argon2id") == true)
            let other = try await firebase.client("signInWithPassword", #"{"email": "d@example.org", "password": "swordfish 7"}"#)
            #expect(other.status == 200, "\(other.text)")
            let replaced = #"{"hashAlgorithm": "BCRYPT", "allowOverwrite": true, "users": [{"localId": "d", "email": "new@example.org"}]}"#
            #expect(try !JSON(try await firebase.server("/accounts:batchCreate", replaced))["error"].exists)
            try FirebaseWorld.expect(try await firebase.lookup(try FirebaseWorld.Session(other).token), 400, "TOKEN_EXPIRED")
        }
    }

    @Test func `a session cookie has the claims of the ID token and a longer life`() async throws {
        try await FirebaseWorld.use { firebase in
            let user = try await firebase.user()
            let made = try await firebase.server(":createSessionCookie", #"{"idToken": "\#(user.token)", "validDuration": "1209600"}"#)
            #expect(made.status == 200, "\(made.text)")
            let cookie = try JSON(made)["sessionCookie"].text
            let claims = try FirebaseWorld.claims(cookie)
            #expect(claims["iss"].text == "https://session.firebase.google.com/old-shop-1a2b" && claims["sub"].text == user.id)
            #expect(claims["exp"].number - claims["iat"].number == 1_209_600)
            // It is no ID token.
            #expect(try await firebase.api.get("/v1/auth/user", key: cookie).status == 401)
            try FirebaseWorld.expect(try await firebase.lookup(cookie), 400, "INVALID_ID_TOKEN")
            #expect(try await firebase.api.get("/v1/auth/user", key: user.token).status == 200)
            let header = try JSON(Base64URL.decode(cookie.split(separator: ".")[0]) ?? [])
            for path in ["\(FirebaseWorld.v3)/publicKeys", "/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"] {
                let certificates = try await firebase.api.get(path)
                #expect(certificates.headers["cache-control"] == "public, max-age=3600")
                #expect(try JSON(certificates)[header["kid"].text].text.hasPrefix("-----BEGIN CERTIFICATE-----"), "\(path)")
            }
            for path in [
                "\(FirebaseWorld.v1)/sessionCookiePublicKeys", "/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com",
            ] {
                #expect(try JSON(try await firebase.api.get(path))["keys"][0]["kid"].text == header["kid"].text, "\(path)")
            }
        }
    }

    @Test func `changes by servers are in the audit log`() async throws {
        try await FirebaseWorld.use { firebase in
            #expect(try await firebase.server("/accounts", #"{"localId": "ana"}"#).status == 200)
            #expect(try await firebase.server("/accounts:batchCreate", #"{"users": [{"localId": "b"}]}"#).status == 200)
            let found = try JSON(try await firebase.api.get("/v1/audit", key: firebase.world.keys.admin))
            let actions = found["items"].items.map { $0["action"].text }
            #expect(actions.contains("account.create") && actions.contains("account.import") && !found.source.contains("\"ana\""))
        }
    }
}
