// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

/// Data folders with a missing or overwritten file. The next start names the file and the remedy and creates no replacement.
@Suite(.namesFaultSeed) struct LostFileTests {
    /// The files beside `main.db` and those of events.
    private static let names = ["messages.db", "crashes.db", "audit.db", "accounts.db", "documents.db", "files.db", "functions.db"]

    /// A folder that a daemon has used.
    private static func used() async throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        let child = try await DaemonProcess.start(in: folder.path)
        let keys = try await child.api.makeApp()
        #expect(try Taken(await child.api.post("/v1/events", key: keys.ingest, #"[{"name": "a"}]"#)) == Taken(accepted: 1))
        #expect(await child.stop() == 0)
        return folder
    }

    /// A copy of the used folder, and the path of the named file.
    private static func copy(of used: TemporaryFolder, _ name: String) throws -> (TemporaryFolder, path: String) {
        let folder = TemporaryFolder()
        try FileManager.default.removeItem(atPath: folder.path)
        try FileManager.default.copyItem(atPath: used.path, toPath: folder.path)
        let paths = StorePaths(root: folder.path)
        return (folder, name == "events/today" ? paths.file(of: try #require(try paths.days().last)) : folder.path + "/" + name)
    }

    /// Expects that a start fails with one line that contains these parts.
    private static func expectRefused(_ folder: String, _ parts: String...) async throws {
        let (code, log) = try await DaemonProcess.run(in: folder)
        #expect(code == 1 && log.hasPrefix("ingestd: ") && log.filter(\.isNewline).count == 1, "\(log)")
        for part in parts { #expect(log.contains(part), "\(log)") }
    }

    private static func write(_ bytes: [UInt8], at offset: Int, of path: String) throws {
        var contents = try File(path, .read).read(at: 0, count: Int(Folder.size(of: path)))
        contents.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        try File(path, .create).write(contents)
    }

    @Test(arguments: [0, 100])
    func `a file with an overwritten header is reported by path`(offset: Int) async throws {
        let used = try await Self.used()
        for name in ["main.db"] + Self.names + ["events/today"] {
            let (folder, path) = try Self.copy(of: used, name)
            // From byte 100 SQLite still recognizes the file but not its schema.
            try Self.write(Array(repeating: 0xa5, count: 4_096), at: offset, of: path)
            try await Self.expectRefused(folder.path, "\(path) is damaged: ", "restore the newest backup")
        }
    }

    @Test func `a missing file is reported, and an empty one in its place is accepted`() async throws {
        let used = try await Self.used()
        for name in Self.names {
            let (folder, path) = try Self.copy(of: used, name)
            try Folder.remove(path)
            for _ in 0..<2 {
                try await Self.expectRefused(folder.path, "\(path) is missing", "Restore the newest backup")
                #expect(!Folder.exists(path))
            }
            try File(path, .create).sync()
            #expect(await (try DaemonProcess.start(in: folder.path)).stop() == 0)
        }
    }

    @Test func `a folder without main.db is not opened`() async throws {
        let used = try await Self.used()
        for name in Self.names + ["events/today"] {
            let (folder, kept) = try Self.copy(of: used, name)
            for other in ["main.db"] + Self.names where "\(folder.path)/\(other)" != kept { try Folder.remove("\(folder.path)/\(other)") }
            let paths = StorePaths(root: folder.path)
            for day in try paths.days() where paths.file(of: day) != kept { try Folder.remove(paths.file(of: day)) }
            try await Self.expectRefused(folder.path, "main.db is missing or empty", "restore the newest backup")
            #expect(!Folder.exists(paths.main))
            try File(paths.main, .create).sync()
            try await Self.expectRefused(folder.path, "main.db is missing or empty")
        }
    }

    @Test func `a first start killed at any file change leaves a usable folder`() async throws {
        let whole = TemporaryFolder()
        let shim = FaultShim(watching: whole.path)
        await (try DaemonProcess.start(in: whole.path + "/data", environment: shim.environment)).killHard()
        for call in KilledCalls.some(of: shim.calls, about: 5) {
            let folder = TemporaryFolder()
            let shim = FaultShim(watching: folder.path)
            shim.kill(at: call)
            do { await (try DaemonProcess.start(in: folder.path + "/data", environment: shim.environment)).killHard() } catch is DaemonProcess.Failure
            {}
            let next = try await DaemonProcess.start(in: folder.path + "/data")
            #expect(try await next.api.makeApp().app == 1, "at call \(call) of \(shim.calls), \(String(describing: shim.failedCall))")
            #expect(await next.stop() == 0)
        }
    }
}
