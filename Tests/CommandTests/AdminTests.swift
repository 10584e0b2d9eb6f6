// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Foundation
import Platform
import TestSupport
import Testing

@testable import EventStore

/// The admin commands, each beside a running daemon and without one.
struct AdminTests {
    private let folder = TemporaryFolder()
    private var data: String { folder.path + "/data" }

    private func admin(_ arguments: String...) async throws -> Program.Ended {
        try await Program.run(arguments + ["--data", data], in: folder)
    }

    private func daemon(_ runs: Bool) async throws -> RunningDaemon? {
        runs ? try await .start(on: data) : nil
    }

    @Test(arguments: [true, false]) func `an app created in development mode accepts client webhooks`(beside: Bool) async throws {
        let development = ["INGESTD_MODE": "development"]
        let daemon = beside ? try await RunningDaemon.start(on: data, environment: development) : nil
        // Beside a daemon, the daemon's configuration applies.
        let made = try await Program.run(["app", "create", "other", "--data", data], in: folder, environment: beside ? [:] : development)
        #expect(made.code == 0)
        let settings = try await admin("app", "show", "other", "--json").json()["settings"] as? [String: Any]
        #expect(settings?["client_webhooks"] as? Bool == true)
        if let daemon { #expect(await daemon.stop() == 0) }
    }

    @Test(arguments: [true, false]) func `an app is created, shown, changed, renamed and listed`(beside: Bool) async throws {
        let daemon = try await daemon(beside)
        let made = try await admin("app", "create", "Größe 1", "--json")
        let keys = try #require(try made.json()["keys"] as? [String: String])
        #expect(made.code == 0 && made.complaint.isEmpty)
        #expect(try Set(made.json().keys) == ["app", "name", "keys"] && Set(keys.keys) == ["ingest", "read", "send", "admin"])
        #expect(made.output.hasPrefix("{\"app\":1,\"name\":\"Größe 1\",\"keys\":{\"ingest\":\"sb_ingest_"))

        let plain = try await admin("app", "create", "second")
        #expect(plain.code == 0 && plain.output.contains("app   2\nname  second\n") && plain.output.contains("\nadmin   sb_admin_"))
        let taken = try await admin("app", "create", "second")
        #expect(taken.code == 1 && taken.complaintIsOneLine && taken.output.isEmpty)

        #expect(try await admin("app", "set", "Größe 1", "tz=Europe/Berlin", "retention_days=30", "private_params=a,b").code == 0)
        let refused = try await admin("app", "set", "1", "retention_days=31", "tz=Nowhere")
        #expect(refused.code == 1 && refused.complaintIsOneLine)
        let settings = try #require(try await admin("app", "show", "1", "--json").json()["settings"] as? [String: Any])
        #expect(settings["tz"] as? String == "Europe/Berlin" && settings["retention_days"] as? Int == 30)
        #expect(settings["private_params"] as? [String] == ["a", "b"])
        #expect(try await admin("app", "show", "1").output.contains("\nprivate_params              a,b\n"))

        #expect(try await admin("app", "rename", "2", "zweite").output.contains("name                        zweite\n"))
        #expect(try await admin("app", "list", "--json").items().map { $0["name"] as? String } == ["Größe 1", "zweite"])
        let list = try await admin("app", "list").output.split(separator: "\n")
        #expect(list.count == 3 && list[0].hasPrefix("ID  NAME     CREATED") && list[2].hasPrefix("2   zweite   "))
        #expect(try await admin("app", "show", "none").code == 1)
        if let daemon { #expect(await daemon.stop() == 0) }
    }

    @Test(arguments: [true, false]) func `deleting an app requires --yes`(beside: Bool) async throws {
        let daemon = try await daemon(beside)
        _ = try await admin("app", "create", "a")
        let unsure = try await admin("app", "delete", "a")
        #expect(unsure.code == 2 && unsure.complaintIsOneLine && unsure.complaint.contains("--yes"))
        #expect(try await admin("app", "list", "--json").items().count == 1)
        #expect(try await admin("app", "delete", "a", "--yes", "--json").output == "{\"app\":1,\"deleted\":true}\n")
        #expect(try await admin("app", "list", "--json").items().isEmpty)
        #expect(try await admin("app", "delete", "a", "--yes").code == 1)
        #expect(try await admin("app", "create", "a", "--json").json()["app"] as? Int == 2)
        if let daemon { #expect(await daemon.stop() == 0) }
    }

    @Test(arguments: [true, false]) func `the status shows the machine, and an app's use of its limits`(beside: Bool) async throws {
        let daemon = try await daemon(beside)
        _ = try await admin("app", "create", "a")
        #expect(try await admin("app", "set", "a", "max_devices=7").code == 0)
        let rows = try await admin("status").output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows.contains { $0.first == "machine.free_disk_bytes" && Int($0[1]).map { $0 > 0 } == true }, "\(rows)")
        #expect(rows.contains(["ready", "true"]) && !rows.contains { $0[0].hasPrefix("usage.") })
        let usage = try await admin("status", "--app", "a", "--json").json()["usage"] as? [String: Any]
        #expect(usage?["max_devices"] as? Int == 7 && usage?["devices"] as? Int == 0)
        #expect(try await admin("status", "--app", "b").code == 1)
        if let daemon { #expect(await daemon.stop() == 0) }
    }

    @Test(arguments: [true, false]) func `the audit log is listed, filtered and limited`(beside: Bool) async throws {
        let daemon = try await daemon(beside)
        _ = try await admin("app", "create", "a")
        for days in 1...4 { #expect(try await admin("app", "set", "a", "retention_days=\(days)").code == 0) }
        #expect(try await admin("app", "set", "a", "tz=Nowhere").code == 1)
        let list = try await admin("audit")
        let rows = list.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(list.code == 0 && rows.count == 7 && rows[0] == "TIME ACTION APP ROLE ADDRESS RESULT DETAIL")
        #expect(rows[1].hasSuffix(" app.change 1 operator control socket rejected 422 tz") && rows[6].hasSuffix(" done 201 a"), "\(rows)")
        #expect(try await admin("audit", "--app", "a", "--limit", "2", "--json").items().map { $0["id"] as? Int } == [6, 5])
        #expect(try await admin("audit", "--action", "app.create", "--json").items().count == 1)
        #expect(try await admin("audit", "--app", "a", "--user", "ana").output == "No entries.\n")
        let refused = try await admin("audit", "--user", "ana")
        #expect(refused.code == 1 && refused.complaintIsOneLine)
        if let daemon { #expect(await daemon.stop() == 0) }
    }

    @Test(arguments: [true, false]) func `a key is created, listed and revoked`(beside: Bool) async throws {
        let daemon = try await daemon(beside)
        _ = try await admin("app", "create", "a")
        let ingest = try await admin(
            "key", "create", "--app", "a", "--role", "ingest", "--label", "phone", "--origin", "https://a.example", "--origin=https://b.example",
            "--bundle-id",
            "org.example", "--events-per-minute", "60", "--json"
        ).json()
        let secret = try #require(ingest["key"] as? String)
        #expect(ingest["dsn"] as? String == "http://\(secret)@127.0.0.1:\(daemon?.port ?? 8787)/1")
        #expect(ingest["origins"] as? [String] == ["https://a.example", "https://b.example"] && ingest["events_per_minute"] as? Int == 60)
        let read = try await admin("key", "create", "--app", "1", "--role", "read")
        #expect(read.code == 0 && read.output.contains("\nkey   sb_read_") && !read.output.contains("dsn") && read.output.contains("shown only once"))

        let lines = try await admin("key", "list").output.split(separator: "\n")
        #expect(lines.count == 7 && lines[0].hasSuffix("SENTRY DSN"))
        let phone = try #require(lines.first { $0.contains("phone") })
        #expect(phone.contains(" \(secret) ") && phone.contains("https://a.example https://b.example 60 events/min"))
        #expect(try await admin("key", "list", "--app", "a", "--json").items().filter { $0["key"] != nil && $0["dsn"] != nil }.count == 2)

        #expect(try await admin("key", "revoke", "2", "--app", "a").code == 0)
        let again = try await admin("key", "revoke", "2", "--app", "a")
        #expect(again.code == 1 && again.complaintIsOneLine)
        #expect(try await admin("key", "list", "--json").items().count == 5)
        if let daemon { #expect(await daemon.stop() == 0) }
    }

    @Test func `a list contains all pages of the daemon's response`() async throws {
        let filled = TemporaryFolder()
        try await withStore(in: filled) { store in
            let app = try await store.events.createAppWithKeys(named: "a").0.id
            // In one commit, as each one reads all keys again.
            try await store.events.changeDirectory { context in
                for _ in 0..<998 { try context.insertKey(Role.ingest.newSecret(), NewKey(app: app, role: .ingest, label: "")) }
            }
        }
        let daemon = try await RunningDaemon.start(on: filled.path)
        let listed = try await Program.run(["key", "list", "--json", "--data", filled.path], in: folder)
        #expect(try listed.items().compactMap { $0["id"] as? Int } == Array(1...1_002))
        #expect(await daemon.stop() == 0)
    }

    @Test func `a DSN has the running daemon's address, else the command's own`() async throws {
        let daemon = try await RunningDaemon.start(on: data)
        let app = try await admin("app", "create", "a", "--json").json()
        let secret = try #require((app["keys"] as? [String: String])?["ingest"])
        let list = try await admin("key", "list", "--json").items()
        #expect(list.compactMap { $0["dsn"] as? String } == ["http://\(secret)@127.0.0.1:\(daemon.port)/1"])
        #expect(try await admin("key", "list").output.contains(" http://\(secret)@127.0.0.1:\(daemon.port)/1\n"))
        #expect(await daemon.stop() == 0)
        #expect(try await admin("key", "list").output.contains(" http://\(secret)@127.0.0.1:8787/1\n"))
    }

    @Test func `a change beside a running daemon takes effect immediately`() async throws {
        let daemon = try await RunningDaemon.start(on: data)
        _ = try await admin("app", "create", "a")
        let key = try await admin("key", "create", "--app", "1", "--role", "read", "--json").json()
        let secret = try #require(key["key"] as? String)
        #expect(try await daemon.ask("GET", "/v1/app", key: secret).status == 200)
        _ = try await admin("app", "rename", "1", "renamed")
        #expect(try await daemon.ask("GET", "/v1/app", key: secret).body.contains("renamed"))
        _ = try await admin("key", "revoke", "\(key["id"] ?? "")", "--app", "1")
        #expect(try await daemon.ask("GET", "/v1/app", key: secret).status == 401)
    }

    @Test func `the data folder comes from option, environment or configuration, in this order`() async throws {
        _ = try await admin("app", "create", "a")
        let variable = ["INGESTD_STORAGE_DIRECTORY": data]
        #expect(try await Program.run(["app", "list", "--json"], environment: variable).items().count == 1)
        try "{ storage: { directory: \"\(data)\" } }".write(toFile: folder.path + "/c.json5", atomically: true, encoding: .utf8)
        #expect(try await Program.run("app", "list", "--json", "--config", "c.json5", in: folder).items().count == 1)
        let other = try await Program.run(["app", "list", "--data", "other"], in: folder, environment: variable)
        #expect(other.code == 1 && other.complaint.contains("other"))
    }
}
