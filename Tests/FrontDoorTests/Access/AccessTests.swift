// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FileStore
import HTTPServer
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct AccessTests {
    @Test func `the table of allowed callers matches the routes`() {
        #expect(Set(Routes.all.map(\.row)) == Set(AllowedCallers.byRoute.keys))
        #expect(Routes.all.count == AllowedCallers.byRoute.count)
    }

    @Test func `every route accepts exactly its roles`() async throws {
        try await withDaemon(configure: Self.configure) { live in
            let keys = try await live.api.makeApp()
            // Without this setting ingest keys may not rotate webhook secrets.
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"client_webhooks": true}"#.utf8)).status == 200)
            let accounts = try JSON(try await live.api.asOperator("POST", "/v1/apps/\(keys.app)/keys", #"{"role": "accounts"}"#))["key"].text
            let data = try JSON(try await live.api.asOperator("POST", "/v1/apps/\(keys.app)/keys", #"{"role": "data"}"#))["key"].text
            let callers: [(Role, String)] = [
                (.ingest, keys.ingest), (.read, keys.read), (.send, keys.send), (.accounts, accounts), (.data, data), (.admin, keys.admin),
            ]
            for route in Routes.all {
                let allowed = try #require(AllowedCallers.byRoute[route.row])
                for (role, key) in callers {
                    let target = allowed.reachesData(role) ? try await route.introduce(live.api, keys) : route.target(app: keys.app)
                    let status = try await live.api.request(route.probe, target, key: key, body: []).status
                    switch allowed {
                    case .everybody: #expect(status == route.ofEverybody, "\(route.row) as \(role)")
                    case .signature: #expect(status == 400, "\(route.row) as \(role)")
                    case .keys(let roles) where roles.contains(role), .keysOrRules(let roles) where roles.contains(role):
                        #expect(![401, 403, 404, 405, 500].contains(status), "\(route.row) as \(role)")
                    case .keys, .keysOrRules: #expect(status == 403, "\(route.row) as \(role)")
                    case .users: #expect(status == 401, "\(route.row) as \(role)")
                    case .operatorOnly: #expect(status == 404, "\(route.row) as \(role)")
                    }
                }
            }
        }
    }

    @Test func `without a valid key only open routes respond`() async throws {
        try await withDaemon(configure: { $0.server.keyFailures = 0 }) { live in
            let keys = try await live.api.makeApp()
            let revoked = try await Self.revokedKey(live.api, app: keys.app)
            let strangers = [nil, "nonsense", String(repeating: "k", count: 65), "sb_admin_" + String(repeating: "a", count: 32), revoked]
            for route in Routes.all {
                for key in strangers {
                    let status = try await live.api.request(route.probe, route.target(app: keys.app), key: key, body: []).status
                    switch AllowedCallers.byRoute[route.row] {
                    case .everybody: #expect(status == route.ofEverybody, "\(route.row)")
                    case .signature: #expect(status == 400, "\(route.row)")
                    // Where the key may be in the body, the invalid body is rejected first.
                    case .keys, .users: #expect(status == route.withoutKey, "\(route.row)")
                    // Rules deny, unless the request is malformed.
                    case .keysOrRules: #expect(key == nil ? [400, 403].contains(status) : status == 401, "\(route.row)")
                    default: #expect(status == 404, "\(route.row)")
                    }
                }
            }
        }
    }

    @Test func `the operator may use every route`() async throws {
        try await withDaemon(configure: Self.configure) { live in
            // Requests that only read leave their app as it is.
            let read = try await live.api.makeApp("read")
            for (number, route) in Routes.all.enumerated() {
                let keys = route.method == .get ? read : try await live.api.makeApp("app-\(number)")
                let target = try await route.introduce(live.api, keys) + (route.pattern.contains("{app}") ? "" : "?app=\(keys.app)")
                let status = try await live.api.asOperator(route.probe, target, "").status
                // The operator is no user.
                if route.access == .user || route.access == .formerUser {
                    #expect(status == 401, "\(route.row)")
                    continue
                }
                #expect(![401, 403, 405, 500].contains(status), "\(route.row)")
                // Only the key with the invented number does not exist.
                #expect((status == 404) == route.pattern.contains("{key}"), "\(route.row)")
            }
        }
    }

    /// Every route is served, and files are stored however full the disk is.
    private static func configure(_ configuration: inout Configuration) {
        configuration.sql.enabled = true
        configuration.store.files.reserveBytes = 0
    }

    private static func revokedKey(_ api: TestClient, app: Int64) async throws -> String {
        let made = try JSON(try await api.asOperator("POST", "/v1/apps/\(app)/keys", #"{"role": "admin", "label": "lost"}"#))
        let key = made["key"].text
        #expect(try await api.get("/v1/app", key: key).status == 200)
        #expect(try await api.asOperator("DELETE", "/v1/apps/\(app)/keys/\(made["id"].number)").status == 204)
        return key
    }

    @Test func `an app cannot read another app's data`() async throws {
        try await withDaemon { live in
            let ours = try await live.api.makeApp("ours")
            let theirs = try await live.api.makeApp("theirs")
            let secret = #"{"events": [{"id": "x", "name": "secret_thing"}, {"name": "9bad secret_thing"}]}"#
            #expect(try Taken(await live.api.post("/v1/events", key: theirs.ingest, secret)) == Taken(accepted: 1, quarantined: 1))

            // The same ID in another app is another event.
            let again = try await live.api.post("/v1/events", key: ours.ingest, #"{"events": [{"id": "x", "name": "plain"}]}"#)
            #expect(try Taken(again) == Taken(accepted: 1))
            for target in ["/v1/export", "/v1/quarantine", "/v1/query/series?event=secret_thing", "/v1/export?app=\(theirs.app)", "/v1/app"] {
                let answer = try await live.api.get(target, key: ours.admin)
                #expect(answer.status == 200)
                #expect(!answer.text.replacing(#""name":"secret_thing","points""#, with: "").contains("secret_thing"), "\(target)")
                #expect(!answer.text.contains("theirs"))
            }
            let series = try JSON(await live.api.get("/v1/query/series?event=secret_thing&app=\(theirs.app)", key: ours.read))
            #expect(series["series"][0]["total"].number == 0)
            _ = try await live.api.post("/v1/quarantine/replay", key: ours.admin, "")
            #expect(try JSON(await live.api.get("/v1/quarantine", key: theirs.read))["items"].items.count == 1)
        }
    }
}
