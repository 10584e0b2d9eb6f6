// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Access to a data folder: ownership, locking and missing files.
struct FolderTests {
    private let folder = TemporaryFolder()
    private var data: String { folder.path + "/data" }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test(arguments: [["app", "list"], ["app", "show", "1"], ["key", "list"], ["export", "--app", "1"], ["backup", "copy"]])
    func `read-only commands do not create a folder`(arguments: [String]) async throws {
        let missing = try await Program.run(arguments + ["--data", data], in: folder)
        #expect(missing.code == 1 && missing.complaintIsOneLine && missing.complaint.contains(data) && !exists(data))
        let empty = try await Program.run(arguments + ["--data", folder.path], in: folder)
        #expect(empty.code == 1 && empty.complaintIsOneLine)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `files are readable by their owner only`() async throws {
        _ = try await Program.run("app", "create", "a", "--data", data)
        for name in [data, data + "/main.db", data + "/events", data + "/lock"] {
            var info = stat()
            #expect(stat(name, &info) == 0 && info.st_mode & 0o077 == 0, "\(name)")
        }
    }

    @Test func `a second daemon on the same folder or port is rejected`() async throws {
        let daemon = try await RunningDaemon.start(on: data)
        let second = try await Program.run("serve", "--data", data, "--listen", "127.0.0.1:0")
        #expect(second.code == 1 && second.complaintIsOneLine && second.complaint.contains("in use by another ingestd"))
        let samePort = try await Program.run("serve", "--data", data + "2", "--listen", "127.0.0.1:\(daemon.port)")
        #expect(samePort.code == 1 && samePort.complaintIsOneLine && samePort.complaint.contains("127.0.0.1:\(daemon.port)"))
        #expect(await daemon.stop(SIGINT) == 0)
        #expect(!exists(data + "/control.sock"))
    }

    @Test func `a stale control socket is replaced`() async throws {
        #expect(await (try RunningDaemon.start(on: data)).stop(SIGKILL) == 128 + SIGKILL)
        #expect(exists(data + "/control.sock"))
        #expect(try await Program.run("app", "create", "a", "--data", data).code == 0)
        let daemon = try await RunningDaemon.start(on: data)
        #expect(try await Program.run("app", "list", "--json", "--data", data).items().count == 1)
        #expect(await daemon.stop() == 0)
    }

    @Test func `concurrent commands all succeed`() async throws {
        _ = try await Program.run("app", "create", "first", "--data", data)
        async let starting = RunningDaemon.start(on: data, environment: ["INGESTD_LOG_FORMAT": "logfmt"])
        let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
            for number in 1...4 { group.addTask { [data] in try await Program.run("app", "create", "app \(number)", "--data", data).code } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == [0, 0, 0, 0])
        // The daemon waits while a command holds the folder's lock.
        #expect(try await starting.stop() == 0)
        #expect(try await Program.run("app", "list", "--json", "--data", data).items().count == 5)
    }

    @Test func `a folder locked by an unresponsive process is an error`() async throws {
        _ = try await Program.run("app", "create", "a", "--data", data)
        let lock = open(data + "/lock", O_RDWR)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let ended = try await Program.run("app", "list", "--data", data)
        #expect(ended.code == 1 && ended.complaintIsOneLine && ended.complaint.contains("try again"))
    }

    @Test(arguments: [["app", "create", "fresh"], ["app", "list"], ["serve", "--listen", "127.0.0.1:0"]])
    func `a folder without its main file is not opened`(arguments: [String]) async throws {
        _ = try await Program.run("app", "create", "a", "--data", data)
        for name in try FileManager.default.contentsOfDirectory(atPath: data) where name.hasPrefix("main.db") {
            try FileManager.default.removeItem(atPath: "\(data)/\(name)")
        }
        let ended = try await Program.run(arguments + ["--data", data])
        #expect(ended.code == 1 && ended.complaintIsOneLine && ended.complaint.contains("\(data)/main.db is missing"), "\(ended)")
        #expect(ended.complaint.contains("restore the newest backup") && !exists(data + "/main.db"))
    }

    @Test(arguments: ["/dev/null/data", "/proc/none/data"]) func `a folder that cannot be created is an error`(path: String) async throws {
        for arguments in [["serve"], ["app", "create", "a"]] {
            let ended = try await Program.run(arguments + ["--data", path])
            #expect(ended.code == 1 && ended.complaintIsOneLine && ended.complaint.contains(path), "\(ended)")
        }
    }

    @Test func `a path too long for a socket is an error`() async throws {
        let ended = try await Program.run("app", "create", "a", "--data", data + String(repeating: "a", count: 100))
        #expect(ended.code == 1 && ended.complaintIsOneLine && ended.complaint.contains("shorter"))
    }
}
