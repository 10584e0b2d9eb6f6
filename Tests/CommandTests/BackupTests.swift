// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

struct BackupTests {
    private let folder = TemporaryFolder()
    private var data: String { folder.path + "/data" }

    private func run(_ arguments: String...) async throws -> Program.Ended {
        try await Program.run(arguments, in: folder)
    }

    /// The key list: full keys where stored, else their hints. DSNs are left out because they depend on the daemon's address.
    private func keys(in data: String) async throws -> [String?] {
        try await run("key", "list", "--json", "--data", data).items().map { ($0["key"] ?? $0["hint"]) as? String }
    }

    private func keyOfNewApp() async throws -> String {
        let keys = try await run("app", "create", "a", "--json", "--data", data).json()["keys"] as? [String: String]
        return try #require(keys?["ingest"])
    }

    @Test func `a running daemon's backup restores to the same events`() async throws {
        let daemon = try await RunningDaemon.start(on: data)
        let key = try await keyOfNewApp()
        try await daemon.take((0..<50).map { "event_\($0)" }, key: key, user: "a \\\"quoted\\\", name")
        let backup = try await run("backup", "copy", "--data", data, "--json")
        #expect(backup.code == 0)
        #expect(try backup.json()["files"] as? Int == 9)
        #expect(try await run("restore", "copy", "--verify").code == 0)
        #expect(try await run("restore", "copy", "--data", "new").code == 0)
        for format in ["ndjson", "csv"] {
            let original = try await run("export", "--app", "a", "--format", format, "--data", data)
            let restored = try await run("export", "--app", "a", "--format", format, "--data", "new")
            #expect(original.code == 0 && original.output.contains("event_49") && restored.output == original.output)
        }
        let (kept, restored) = try await (keys(in: data), keys(in: "new"))
        #expect(kept == restored && kept.count == 4)
        let busy = try await run("restore", "copy", "--data", data)
        #expect(busy.code == 1 && busy.complaintIsOneLine)
        #expect(await daemon.stop() == 0)
        let full = try await run("restore", "copy", "--data", data)
        #expect(full.code == 1 && full.complaintIsOneLine && full.complaint.contains("not empty"))
    }

    @Test func `an update replaces a backup, and only one of the same data folder`() async throws {
        let daemon = try await RunningDaemon.start(on: data)
        let key = try await keyOfNewApp()
        try await daemon.take(["first"], key: key, user: "ana")
        #expect(try await run("backup", "copy", "--data", data, "--update").code == 0)
        try await daemon.take(["second"], key: key, user: "ana")
        let refused = try await run("backup", "copy", "--data", data)
        #expect(refused.code == 1 && refused.complaintIsOneLine && refused.complaint.contains("not empty"))
        #expect(try await run("backup", "copy", "--data", data, "--update").code == 0)
        #expect(try await run("app", "create", "a", "--data", "other").code == 0)
        let foreign = try await run("backup", "copy", "--data", "other", "--update")
        #expect(foreign.code == 1 && foreign.complaint.contains("another data folder"), "\(foreign)")
        #expect(try await run("restore", "copy", "--verify").code == 0)
        #expect(try await run("restore", "copy", "--data", "new").code == 0)
        let restored = try await run("export", "--app", "a", "--data", "new")
        #expect(restored.output.contains("first") && restored.output.contains("second"))
        #expect(await daemon.stop() == 0)
    }

    @Test(arguments: ["--passphrase-file", "--key-file"])
    func `an encrypted backup is made, proved and restored with its secret only`(option: String) async throws {
        let daemon = try await RunningDaemon.start(on: data)
        let key = try await keyOfNewApp()
        try await daemon.take((0..<50).map { "event_\($0)" }, key: key, user: "ana")
        let secret = folder.path + "/secret"
        try Data("a passphrase of several words, and 32 bytes\n".utf8).write(to: URL(fileURLWithPath: secret))
        try Data("another passphrase of several words, and 32 bytes\n".utf8).write(to: URL(fileURLWithPath: secret + "2"))
        #expect(try await run("backup", "copy", option, secret, "--data", data).code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/copy") == ["backup.enc"])
        let proved = try await run("backup", "verify", "copy", option, secret)
        #expect(proved.code == 0 && proved.output.contains("(1 app): 9 files"), "\(proved)")
        #expect(try await run("restore", "copy", "--verify", option, secret).code == 0)
        for arguments in [
            ["restore", "copy", "--data", "new"], ["restore", "copy", option, secret + "2", "--data", "new"], ["backup", "verify", "copy"],
        ] {
            let refused = try await Program.run(arguments, in: folder)
            #expect(refused.code == 1 && refused.complaintIsOneLine, "\(refused)")
        }
        #expect(try await run("restore", "copy", option, secret, "--data", "new").code == 0)
        let original = try await run("export", "--app", "a", "--data", data)
        #expect(try await run("export", "--app", "a", "--data", "new").output == original.output && original.output.contains("event_49"))
        let log = try await run("audit", "--data", "new")
        #expect(log.output.contains("backup.restore"), "\(log)")
        #expect(await daemon.stop() == 0)
    }

    @Test func `a damaged backup fails verification and is not restored`() async throws {
        _ = try await keyOfNewApp()
        #expect(try await run("backup", folder.path + "/copy", "--data", data).code == 0)
        let file = try #require(FileHandle(forUpdatingAtPath: folder.path + "/copy/main.db"))
        try file.seek(toOffset: 5_000)
        try file.write(contentsOf: Data([0xff, 0x00, 0xff]))
        try file.close()
        for arguments in [["--verify"], ["--data", "new"]] {
            let ended = try await Program.run(["restore", "copy"] + arguments, in: folder)
            #expect(ended.code == 1 && ended.complaintIsOneLine && ended.complaint.contains("main.db") && ended.output.isEmpty)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/new/main.db"))
    }

    @Test func `a backup with a truncated manifest fails verification and is not restored`() async throws {
        _ = try await keyOfNewApp()
        #expect(try await run("backup", folder.path + "/copy", "--data", data).code == 0)
        let manifest = folder.path + "/copy/MANIFEST"
        let lines = try String(contentsOfFile: manifest, encoding: .utf8).split(separator: "\n")
        for cut in [lines.prefix(2), lines[1...1]] {
            try cut.map { $0 + "\n" }.joined().write(toFile: manifest, atomically: true, encoding: .utf8)
            for arguments in [["--verify"], ["--data", "new"]] {
                let ended = try await Program.run(["restore", "copy"] + arguments, in: folder)
                #expect(ended.code == 1 && ended.complaintIsOneLine && ended.complaint.contains("manifest") && ended.output.isEmpty, "\(ended)")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/new/main.db"))
    }

    @Test func `a backup that the command cannot see is reported as an error`() async throws {
        let daemon = try await RunningDaemon.start(on: data)
        // The daemon's working directory is not the command's.
        let target = "/proc/self/cwd\(folder.path)/copy"
        let ended = try await run("backup", target, "--data", data)
        #expect(ended.code == 1 && ended.complaintIsOneLine && ended.complaint.contains("/var/backups/ingestd") && ended.output.isEmpty, "\(ended)")
        #expect(FileManager.default.fileExists(atPath: folder.path + "/copy/MANIFEST"))
        #expect(await daemon.stop() == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func `the commands do not write to another user's folder`() async throws {
        _ = try await keyOfNewApp()
        #expect(try await run("backup", "copy", "--data", data).code == 0)
        let foreign = folder.path + "/foreign"
        try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: false)
        try #require(chown(foreign, 65534, 65534) == 0)
        for arguments in [["restore", "copy"], ["app", "create", "b"]] {
            let ended = try await Program.run(arguments + ["--data", foreign], in: folder)
            #expect(ended.code == 1 && ended.complaint.contains("another user"), "\(ended)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: foreign).isEmpty)
    }

    @Test func `a missing backup and an unusable backup target are errors`() async throws {
        _ = try await keyOfNewApp()
        let none = try await run("restore", "nowhere", "--verify")
        #expect(none.code == 1 && none.complaintIsOneLine)
        for target in [data, "/dev/null/copy", data + "/uploads/copy", data + "/events/copy", data + "/uploads"] {
            let ended = try await run("backup", target, "--data", data)
            #expect(ended.code == 1 && ended.complaintIsOneLine, "\(ended)")
        }
    }
}
