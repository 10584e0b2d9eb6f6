// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AcrossStores
import Platform
import SQLite
import TestSupport
import Testing

@testable import ingestd

/// Identities and second factors leave with their account, whatever removes it, and are in the export before.
@Suite struct IdentityRemovalTests {
    enum Way: String, CaseIterable, Sendable {
        case own, administrator, erasure, anonymisation, app
    }

    @Test(arguments: Way.allCases) func `nothing of an account stays`(way: Way) async throws {
        try await ProviderWorld.use { world async throws in
            let accounts = world.accounts
            let user = try await FactorWorld(accounts)
            // The factor ended no session of its own user, who signed in a moment ago.
            #expect(try await world.link(world.corp.token("u-1", at: accounts.clock.now), as: user.user.token).status == 200)
            #expect(try Self.rows(accounts) == ["identities": 1, "factors": 1, "recovery_codes": 10])
            let export = try JSON(await accounts.live.api.get("/v1/users/\(user.user.id)/export", key: accounts.keys.admin))
            let account = export["accounts"][0]
            #expect(account["identities"][0]["subject"].text == "u-1" && account["factors"][0]["id"].text == user.factor)
            try await Self.remove(user.user, way, accounts)
            #expect(try await eventually { try Self.rows(accounts) == ["identities": 0, "factors": 0, "recovery_codes": 0] })
        }
    }

    private static func remove(_ user: AccountWorld.Session, _ way: Way, _ world: AccountWorld) async throws {
        let api = world.live.api
        let reply =
            switch way {
            case .own: try await api.request("DELETE", "/v1/auth/user", key: user.token)
            case .administrator: try await api.request("DELETE", "/v1/auth/accounts/\(user.id)", key: world.keys.admin)
            case .erasure: try await api.request("DELETE", "/v1/users/\(user.id)", key: world.keys.admin)
            case .anonymisation: try await api.request("POST", "/v1/users/\(user.id)/anonymise", key: world.keys.admin)
            case .app: try await api.asOperator("DELETE", "/v1/apps/\(world.keys.app)")
            }
        #expect([200, 204].contains(reply.status), "\(way): \(reply.status) \(reply.text)")
    }

    private static func rows(_ world: AccountWorld) throws -> [String: Int] {
        let file = try Connection(world.live.daemon.store.paths.accounts, .read)
        return try ["identities", "factors", "recovery_codes"].reduce(into: [:]) { counts, table in
            counts[table] = try file.statement("SELECT count(*) FROM \(table)").first { $0.int(0) }
        }
    }
}
