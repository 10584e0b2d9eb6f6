// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct AuditTests {
    /// Routes of admins and the operator that change nothing, or store parts of files that a later request names.
    private static let unaudited: Set = [
        "POST /v1/query/sql", "POST /api/0/organizations/{org}/chunk-upload/", "POST /api/0/organizations/{org}/chunk-upload",
        "POST /v1/documents:rules/test", "POST /v1/documents:rules/explain", "POST /v1/files-rules/test",
        "PUT /v1/files:import",
    ]

    @Test func `every route that changes something for an admin or the operator names its action`() {
        for route in Routes.all where route.method != .get && [.role(.admin), .operatorOnly].contains(route.access) {
            #expect((route.audit == nil) == Self.unaudited.contains(route.row), "\(route.row)")
        }
        let reads = Set(Routes.all.filter { $0.method == .get && $0.audit != nil }.map(\.row))
        let exports = ["/v1/export", "/v1/users/{id}/export", "/v1/auth/accounts/export", "/v1/documents:export", "/v1/files:export"]
        #expect(reads == Set(exports.map { "GET \($0)" }))
        let named = Set(Routes.all.compactMap(\.audit))
        #expect(named.symmetricDifference(AuditAction.allCases) == [.backupRestore, .roleDenied])
    }

    private static func entries(_ live: LiveDaemon, _ key: String, _ query: String = "") async throws -> [JSON] {
        let reply = try await live.api.get("/v1/audit?\(query)", key: key)
        #expect(reply.status == 200, "\(reply.text)")
        return try JSON(reply)["items"].items
    }

    private static func asOperator(_ live: LiveDaemon, _ query: String = "") async throws -> [JSON] {
        try JSON(try await live.api.asOperator("GET", "/v1/audit?\(query)"))["items"].items
    }

    private static func actions(_ entries: [JSON]) -> [String] { entries.map { $0["action"].text } }

    @Test func `an entry says who did what, from where and with what result`() async throws {
        try await withDaemon { live async throws in
            let keys = try await live.api.makeApp()
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"tz": "Europe/Berlin"}"#.utf8)).status == 200)
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"tz": "Nowhere"}"#.utf8)).status == 422)
            let made = try JSON(try await live.api.asOperator("POST", "/v1/apps/shop/keys", #"{"role": "read"}"#))["id"].number
            #expect(try await live.api.asOperator("DELETE", "/v1/apps/shop/keys/\(made)").status == 204)
            let found = try await Self.entries(live, keys.admin)
            #expect(Self.actions(found) == ["key.revoke", "key.create", "app.change", "app.change", "app.create"])
            #expect(found.map { $0["detail"].text } == ["key \(made)", "key \(made), read", "tz", "tz", "shop"])
            #expect(found.map { $0["status"].number } == [204, 201, 422, 200, 201])
            #expect(found.map { $0["outcome"].text } == ["done", "done", "rejected", "done", "done"])
            #expect(found.map { $0["address"].text } == ["control socket", "control socket", "127.0.0.1", "127.0.0.1", "control socket"])
            #expect(found.map { $0["role"].text } == ["operator", "operator", "admin", "admin", "operator"])
            let all = try JSON(try await live.api.asOperator("GET", "/v1/apps/shop/keys"))["items"].items
            let admin = all.first { $0["role"].text == "admin" }?["id"].number
            #expect(found[2]["key"].number == admin && found[0]["key"].exists == false && found.allSatisfy { $0["count"].number == 1 })
        }
    }

    @Test func `saved queries, cohorts and the secret of webhooks have entries`() async throws {
        try await withDaemon { live async throws in
            let keys = try await live.api.makeApp()
            func put(_ path: String, _ body: String) async throws -> Int {
                try await live.api.request("PUT", path, key: keys.admin, body: Array(body.utf8)).status
            }
            #expect(try await put("/v1/saved-queries/opens", #"{"query": "series"}"#) == 201)
            #expect(try await put("/v1/saved-queries/opens", #"{"query": "nothing"}"#) == 422)
            #expect(try await put("/v1/cohorts/free", #"{"filter": ["user.tier=free"]}"#) == 201)
            #expect(try await live.api.request("DELETE", "/v1/cohorts/free", key: keys.admin).status == 204)
            #expect(try await live.api.request("DELETE", "/v1/saved-queries/none", key: keys.admin).status == 404)
            #expect(try await live.api.post("/v1/app/webhook-secret", key: keys.send, "{}").status == 200)
            let found = try await Self.entries(live, keys.admin).dropLast()
            #expect(
                Self.actions(Array(found)) == [
                    "webhook_secret.rotate", "query.delete", "cohort.delete", "cohort.store", "query.store", "query.store",
                ])
            #expect(found.map { $0["detail"].text } == ["", "none", "free", "free", "opens", "opens"])
            #expect(found.map { $0["outcome"].text } == ["done", "rejected", "done", "done", "rejected", "done"])
            #expect(found.map { $0["role"].text } == ["send"] + [String](repeating: "admin", count: 5))
        }
    }

    @Test func `entries are filtered by action, key and time, and come in pages`() async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_795_260_500_000))
        try await withDaemon(clock: clock.clock) { live async throws in
            let keys = try await live.api.makeApp()
            for number in 1...5 {
                clock.advance(by: .minutes(1))
                #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array("{\"items\": \(number)}".utf8)).status == 200)
            }
            #expect(try await Self.entries(live, keys.admin, "action=app.create").count == 1)
            #expect(try await Self.entries(live, keys.admin, "action=key.create").isEmpty)
            #expect(try await Self.entries(live, keys.admin, "key_id=999").isEmpty)
            #expect(try await Self.entries(live, keys.admin, "from=-150s").count == 3)
            #expect(try await Self.entries(live, keys.admin, "to=-150s").count == 3)
            let first = try JSON(try await live.api.get("/v1/audit?limit=4", key: keys.admin))
            let rest = try JSON(try await live.api.get("/v1/audit?limit=4&after=\(first["next"].text)", key: keys.admin))
            #expect(first["items"].items.count == 4 && rest["items"].items.count == 2 && !rest["next"].exists)
            for wrong in ["action=nothing", "key_id=x", "from=x", "limit=0", "after=x", "user=a&installation=b", "what=1"] {
                #expect(try await live.api.get("/v1/audit?\(wrong)", key: keys.admin).status == 422, "\(wrong)")
            }
            #expect(try await live.api.asOperator("GET", "/v1/audit?user=ana").status == 422)
            #expect(try await live.api.asOperator("GET", "/v1/audit?app=none").status == 404)
        }
    }

    @Test func `a person appears as a hash that only the ID finds, also after the erasure`() async throws {
        let folder = TemporaryFolder()
        try await withDaemon(in: folder) { live async throws in
            let keys = try await live.api.makeApp()
            let sent = #"[{"name": "a", "user_id": "ana-\#u{e9}-9"}, {"name": "a", "user_id": "bob"}]"#
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, sent)).accepted == 2)
            #expect(try await live.api.get("/v1/users/ana-%C3%A9-9/export", key: keys.admin).status == 200)
            #expect(try await live.api.request("DELETE", "/v1/users/ana-%C3%A9-9?dry_run=true", key: keys.admin).status == 200)
            #expect(try await live.api.request("DELETE", "/v1/users/ana-%C3%A9-9?block=true", key: keys.admin).status == 200)
            #expect(try await live.api.request("POST", "/v1/users/bob/anonymise", key: keys.admin).status == 200)
            let ana = try await Self.entries(live, keys.admin, "user=ana-%C3%A9-9")
            #expect(Self.actions(ana) == ["person.erase", "person.erase", "person.export"])
            #expect(ana.map { $0["detail"].text } == ["block", "dry run", ""])
            #expect(Set(ana.map { $0["person"].text }).count == 1 && ana[0]["person"].text.utf8.count == 16)
            // The same text as an installation ID, or with a combining accent, is another person.
            #expect(try await Self.entries(live, keys.admin, "installation=ana-%C3%A9-9").isEmpty)
            #expect(try await Self.entries(live, keys.admin, "user=ana-e%CC%81-9").isEmpty)
            #expect(Self.actions(try await Self.entries(live, keys.admin, "user=bob")) == ["person.anonymise"])
        }
        for name in try Folder.names(in: folder.path) where name.hasPrefix("audit.db") {
            let bytes = try File("\(folder.path)/\(name)", .read).read(at: 0, count: Int(Folder.size(of: "\(folder.path)/\(name)")))
            #expect(!bytes.holds(Array("ana-".utf8)), "\(name)")
        }
    }

    @Test func `an app's admin sees its own entries, and the operator those of the daemon and of deleted apps too`() async throws {
        let backup = TemporaryFolder()
        try await withDaemon { live async throws in
            let (ours, theirs) = (try await live.api.makeApp("ours"), try await live.api.makeApp("theirs"))
            #expect(try await live.api.asOperator("POST", "/v1/backup", #"{"directory": "\#(backup.path)/one"}"#).status == 200)
            #expect(try await live.api.asOperator("DELETE", "/v1/apps/theirs").status == 204)
            #expect(Self.actions(try await Self.entries(live, ours.admin, "app=\(theirs.app)")) == ["app.create"])
            let all = try await Self.asOperator(live)
            #expect(Self.actions(all) == ["app.delete", "backup.create", "app.create", "app.create"])
            #expect(!all[1]["app"].exists && all[1]["detail"].text == backup.path + "/one")
            #expect(Self.actions(try await Self.asOperator(live, "app=\(theirs.app)")) == ["app.delete", "app.create"])
            #expect(Self.actions(try await Self.asOperator(live, "app=ours")) == ["app.create"])
        }
    }

    @Test func `requests that a role does not allow are one entry per key and hour`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Timestamp(milliseconds: 1_795_260_500_000))
        let keys = try await withDaemon(in: folder, clock: clock.clock) { live async throws in
            let keys = try await live.api.makeApp()
            for _ in 0..<20 { #expect(try await live.api.get("/v1/audit", key: keys.read).status == 403) }
            #expect(try await live.api.get("/v1/issues", key: keys.ingest).status == 403)
            #expect(try await live.api.get("/v1/issues", key: "sb_read_unknown").status == 401)
            let denied = try await Self.entries(live, keys.admin, "action=role.denied")
            #expect(Set(denied.map { $0["count"].number }) == [20, 1] && denied.count == 2)
            #expect(denied.allSatisfy { $0["outcome"].text == "rejected" && $0["status"].number == 403 && $0["address"].text == "127.0.0.1" })
            #expect(Set(denied.map { $0["role"].text }) == ["read", "ingest"])
            // Those after the last reading are written when the daemon ends.
            for _ in 0..<3 { #expect(try await live.api.get("/v1/audit", key: keys.read).status == 403) }
            clock.advance(by: .hours(1))
            #expect(try await live.api.get("/v1/audit", key: keys.read).status == 403)
            return keys
        }
        try await withDaemon(in: folder, clock: clock.clock) { live async throws in
            let denied = try await Self.entries(live, keys.admin, "action=role.denied")
            #expect(denied.map { $0["count"].number }.sorted() == [1, 1, 23])
        }
    }

    @Test func `an action whose entry cannot be written is rejected`() async throws {
        try await withDaemon { live async throws in
            let keys = try await live.api.makeApp()
            let locker = try AuditLock(live.folder)
            let reply = try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"tz": "Europe/Berlin"}"#.utf8))
            #expect(reply.status == 503, "\(reply.text)")
            try locker.release()
            #expect(try JSON(try await live.api.get("/v1/app", key: keys.admin))["settings"]["tz"].text == "UTC")
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"tz": "Europe/Berlin"}"#.utf8)).status == 200)
            #expect(Self.actions(try await Self.entries(live, keys.admin)) == ["app.change", "app.create"])
        }
    }
}
