// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The commands about one person, each beside a running daemon and without one.
struct PersonTests {
    private let folder = TemporaryFolder()
    private var data: String { folder.path + "/data" }

    private func command(_ arguments: String...) async throws -> Program.Ended {
        try await Program.run(arguments + ["--app", "1", "--data", data], in: folder)
    }

    /// Creates a folder with three events each from Anna and Bert; the daemon may keep running.
    private func fill(_ staysRunning: Bool) async throws -> (daemon: RunningDaemon, ingest: String) {
        let keys = try #require(try await Program.run("app", "create", "a", "--json", "--data", data).json()["keys"] as? [String: String])
        let daemon = try await RunningDaemon.start(on: data)
        let ingest = try #require(keys["ingest"])
        for user in ["anna/1", "bert"] {
            try await daemon.take(["one", "two", "three"], key: ingest, user: user)
            let device = #"{"token": "\#(user.prefix(4))-token", "platform": "ios", "endpoint": {"type": "stream"}, "user_id": "\#(user)"}"#
            let answer = try await daemon.ask("POST", "/v1/devices", key: ingest, body: device)
            #expect(answer.status == 201, "\(answer.body)")
        }
        if !staysRunning { #expect(await daemon.stop() == 0) }
        return (daemon, ingest)
    }

    private func names() async throws -> Int {
        try await command("export").output.components(separatedBy: "anna/1").count - 1
    }

    @Test(arguments: [true, false]) func `a user's data is exported and erased`(beside: Bool) async throws {
        let (daemon, _) = try await fill(beside)
        let whole = try await command("user-data", "--user", "anna/1")
        #expect(try whole.code == 0 && (whole.json()["events"] as? [Any])?.count == 3)
        #expect(try (whole.json()["registrations"] as? [[String: Any]])?.map { $0["token"] as? String } == ["anna-token"])
        let unknown = try await command("user-data", "--installation", "anna/1")
        #expect(unknown.code == 1 && unknown.complaintIsOneLine && unknown.output.isEmpty)

        let counted = try await command("erase", "--user", "anna/1", "--dry-run", "--json")
        #expect(try counted.json()["events"] as? Int == 3 && counted.json()["dry_run"] as? Bool == true)
        #expect(try await names() == 3)
        let erased = try await command("erase", "--user", "anna/1")
        #expect(erased.code == 0 && erased.output.hasPrefix("Removed:\nevents         3\n") && erased.output.contains("registrations  1\n"))
        #expect(erased.output.contains("files          0\n") && erased.output.contains("runs           0\n"))
        #expect(try await names() == 0)
        #expect(try await command("export").output.components(separatedBy: "bert").count == 4)
        #expect(try await command("erase", "--user", "anna/1", "--json").json()["events"] as? Int == 0)
        if beside { #expect(await daemon.stop() == 0) }
    }

    @Test(arguments: [true, false]) func `anonymising removes a user's ID and keeps the events`(beside: Bool) async throws {
        let (daemon, _) = try await fill(beside)
        let report = try await command("anonymise", "--user", "anna/1", "--json").json()
        #expect(report["events"] as? Int == 3 && report["registrations"] as? Int == 1)
        #expect(try await command("user-data", "--user", "anna/1").code == 1)
        #expect(try await names() == 0)
        #expect(try await command("export").output.split(separator: "\n").count == 6)
        if beside { #expect(await daemon.stop() == 0) }
    }

    @Test func `a user blocked without a daemon is rejected by the next one`() async throws {
        let (_, ingest) = try await fill(false)
        #expect(try await command("erase", "--user", "anna/1", "--block", "--json").json()["blocked"] as? Bool == true)
        let daemon = try await RunningDaemon.start(on: data)
        let body = #"[{"name":"four","user_id":"anna/1"}]"#
        #expect(try await daemon.ask("POST", "/v1/events", key: ingest, body: body).body.contains(#""code":"blocked""#))
        let device = #"{"platform": "ios", "endpoint": {"type": "stream"}, "user_id": "anna/1"}"#
        #expect(try await daemon.ask("POST", "/v1/devices", key: ingest, body: device).status == 403)
        #expect(try await command("unblock", "--user", "anna/1").code == 0)
        try await daemon.take(["four"], key: ingest, user: "anna/1")
        let again = try await command("unblock", "--user", "anna/1")
        #expect(again.code == 1 && again.complaintIsOneLine)
        #expect(await daemon.stop() == 0)
    }

    @Test(arguments: ["--user", "--installation"]) func `an empty ID and an unknown ID are errors that name the option`(
        option: String
    ) async throws {
        _ = try await Program.run("app", "create", "a", "--data", data)
        let empty = try await command("erase", option, "")
        #expect(empty.code == 2 && empty.complaintIsOneLine && empty.complaint.contains("\(option) needs a value"), "\(empty)")
        for name in ["user-data", "unblock"] {
            let ended = try await command(name, option, "nobody")
            #expect(ended.code == 1 && ended.complaintIsOneLine && ended.complaint.contains("--installation ID"), "\(ended)")
        }
    }

    @Test func `a command takes either a user or an installation`() async throws {
        for arguments in [[], ["--user", "a", "--installation", "b"]] {
            let ended = try await Program.run(["erase", "--app", "1", "--data", data] + arguments, in: folder)
            #expect(ended.code == 2 && ended.complaintIsOneLine && ended.complaint.contains("--installation"))
        }
    }
}
