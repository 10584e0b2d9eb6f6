// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Crypto
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct SigningKeyTests {
    @Test func `any library finds the keys of an app's ID tokens`() async throws {
        try await AccountWorld.use { world in
            let api = world.live.api
            #expect(try await api.asOperator("PATCH", "/v1/apps/1", #"{"project": "old-shop-1a2b"}"#).status == 200)
            #expect(try JSON(try await api.get("/v1/auth/old-shop-1a2b/jwks.json"))["keys"].items.isEmpty)
            let user = try await world.user()
            let document = try await api.get("/v1/auth/old-shop-1a2b/.well-known/openid-configuration")
            #expect(document.headers["cache-control"] == "public, max-age=3600")
            let issuer = try JSON(document)["issuer"].text
            #expect(try user.claims["iss"].text == issuer && user.claims["aud"].text == "old-shop-1a2b")
            #expect(try JSON(document)["jwks_uri"].text == issuer + "/jwks.json")
            let keys = try JSON(try await api.get("/v1/auth/old-shop-1a2b/jwks.json"))["keys"].items
            let header = try JSON(Base64URL.decode(user.token.split(separator: ".")[0]) ?? [])
            #expect(keys.count == 1 && keys[0]["kid"].text == header["kid"].text && header["alg"].text == "RS256")
            let parts = user.token.split(separator: ".")
            let key = SignatureKey.rsa(
                modulus: Base64URL.decode(keys[0]["n"].text) ?? [], exponent: Base64URL.decode(keys[0]["e"].text) ?? [])
            #expect(key?.isValid(Base64URL.decode(parts[2]) ?? [], of: Array("\(parts[0]).\(parts[1])".utf8)) == true)
            #expect(try await api.get("/v1/auth/old-shop-1a2b/certs").text.contains("BEGIN CERTIFICATE"))
            for unknown in ["1", "shop", "nobody"] { #expect(try await api.get("/v1/auth/\(unknown)/jwks.json").status == 404, "\(unknown)") }
        }
    }

    @Test func `keys are replaced in time, or at once`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            func keys() async throws -> [JSON] { try JSON(try await world.live.api.asOperator("GET", "/v1/auth/keys"))["items"].items }
            let first = try await keys()[0]["id"].text
            world.clock.advance(by: .hours(89 * 24 + 1))
            try await world.live.daemon.store.rotateSigningKeys()
            #expect(try await keys().map { $0["signing"].bool } == [true, false])
            #expect(try JSON(try await world.live.api.get("/v1/auth/1/jwks.json"))["keys"].items.count == 2)
            world.clock.advance(by: .days(1))
            #expect(try await keys().map { $0["signing"].bool } == [false, true])
            let second = try AccountWorld.Session(try await world.refresh(user.refresh))
            #expect(try await world.live.api.get("/v1/auth/user", key: second.token).status == 200)
            // Its last session cookie may be valid for 14 days.
            world.clock.advance(by: .days(14))
            try await world.live.daemon.store.rotateSigningKeys()
            #expect(try await keys().count == 2)
            world.clock.advance(by: .days(2))
            try await world.live.daemon.store.rotateSigningKeys()
            let last = try await keys()
            #expect(last.count == 1 && last[0]["id"].text != first)
            let third = try AccountWorld.Session(try await world.refresh(second.refresh))
            #expect(try await world.live.api.asOperator("POST", "/v1/auth/keys/rotate", #"{"now": true}"#).status == 200)
            #expect(try await world.live.api.get("/v1/auth/user", key: third.token).status == 401)
            #expect(try await world.refresh(third.refresh).status == 200)
        }
    }

    @Test func `a backup says what to keep apart, and accounts are not restored without their key`() async throws {
        let (folder, backup, whole, target) = (TemporaryFolder(), TemporaryFolder(), TemporaryFolder(), TemporaryFolder())
        try await AccountWorld.use(in: folder) { world in
            let empty = try JSON(try await world.live.api.asOperator("POST", "/v1/backup", #"{"directory": "\#(backup.path)/before"}"#))
            #expect(!empty["key_apart"].exists)
            _ = try await world.user()
            let apart = try JSON(try await world.live.api.asOperator("POST", "/v1/backup", #"{"directory": "\#(backup.path)/apart"}"#))
            #expect(apart["key_apart"].text == "\(folder.path)/accounts.key")
            let body = #"{"directory": "\#(whole.path)/whole", "include_keys": true}"#
            #expect(try !JSON(try await world.live.api.asOperator("POST", "/v1/backup", body))["key_apart"].exists)
        }
        let restored = target.path + "/a"
        #expect(throws: Refusal.self) { try Backup.restore(backup.path + "/apart", into: restored) }
        #expect(try Folder.names(in: restored).isEmpty)
        let other = TemporaryFolder()
        try await AccountWorld.use(in: other) { world in _ = try await world.user() }
        let wrong = AccountsKeyPlace.copied(from: other.path + "/accounts.key")
        #expect(throws: Refusal.self) { try Backup.restore(backup.path + "/apart", accountsKey: wrong, into: restored) }
        _ = try Backup.restore(backup.path + "/apart", accountsKey: .copied(from: folder.path + "/accounts.key"), into: restored)
        _ = try Backup.restore(backup.path + "/before", into: target.path + "/before")
        _ = try Backup.restore(whole.path + "/whole", into: target.path + "/b")
        for place in ["a", "b"] {
            #expect(SmallFile.mode("\(target.path)/\(place)/accounts.key") == 0o600)
        }
    }

    @Test func `a folder whose key is missing or another does not open`() async throws {
        let (folder, other) = (TemporaryFolder(), TemporaryFolder())
        for one in [folder, other] { try await AccountWorld.use(in: one) { world in _ = try await world.user() } }
        let path = folder.path + "/accounts.key"
        let own = try SmallFile.read(path, limit: 256)
        try Folder.remove(path)
        await #expect(throws: (any Error).self) { try await withDaemon(in: folder) { _ in } }
        try File(path, .create).write(try SmallFile.read(other.path + "/accounts.key", limit: 256))
        await #expect(throws: (any Error).self) { try await withDaemon(in: folder) { _ in } }
        try File(path, .create).write(own)
        try await withDaemon(in: folder) { live async throws in #expect(try await live.api.asOperator("GET", "/v1/auth/keys").status == 200) }
    }
}
