// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Crashes and symbols across restarts of the daemon.
@Suite struct CrashLifecycleTests {
    private static let build = SymbolFixture.elf
    private static let crash = #"""
        {"crashes": [{"id": "c", "type": "Boom", "frames": [{"instruction_addr": "0x2190", "image_addr": "0x1000", "in_app": true}],
          "images": [{"type": "elf", "debug_id": "\#(build.debugID)", "image_addr": "0x1000", "image_size": 65536}]}]}
        """#

    private static func bringSymbols(_ api: TestClient, _ keys: AppKeys) async throws {
        #expect(try await api.request("PUT", "/v1/symbols/\(build.debugID)", key: keys.admin, body: build.bytes).status == 201)
    }

    /// The crash from the API.
    private static func shown(_ api: TestClient, _ keys: AppKeys) async throws -> JSON {
        let issue = try JSON(await api.get("/v1/issues", key: keys.read))["items"][0]["id"].text
        let answer = try await api.get("/v1/issues/\(issue)/events/c", key: keys.read)
        #expect(answer.status == 200)
        return try JSON(answer)
    }

    /// A program that never responds.
    private static func hangingSymbolizer(in folder: TemporaryFolder) throws -> String {
        let program = folder.path + "/hanging"
        try File(program, .create).write(Array("#!/bin/sh\nwhile read line; do :; done\n".utf8))
        #expect(chmod(program, 0o700) == 0)
        return program
    }

    /// The process that runs the script; nil if there is none.
    private static func process(of program: String) throws -> Int32? {
        try Folder.names(in: "/proc").compactMap { Int32($0) }.first { process in
            let words = (try? SmallFile.read("/proc/\(process)/cmdline", limit: 1 << 12))?.split(separator: 0) ?? []
            // Not the launcher, which has the program as an argument.
            return words.first.map { $0.elementsEqual("/bin/sh".utf8) } == true && words.contains { $0.elementsEqual(program.utf8) }
        }
    }

    @Test func `a hung symbolizer blocks neither requests nor the shutdown, and the next start continues`() async throws {
        let (folder, beside) = (TemporaryFolder(), TemporaryFolder())
        let program = try Self.hangingSymbolizer(in: beside)
        let child = try await DaemonProcess.start(in: folder.path, environment: ["INGESTD_CRASHES_SYMBOLIZER": program])
        let keys = try await child.api.makeApp()
        try await Self.bringSymbols(child.api, keys)
        #expect(try Taken(await child.api.post("/v1/crashes", key: keys.ingest, Self.crash)) == Taken(accepted: 1))
        #expect(try await eventually { try Self.process(of: program) != nil })
        let process = try #require(try Self.process(of: program))
        #expect(try await Self.shown(child.api, keys)["report"]["frames"][0]["function"].text.isEmpty)
        #expect(try Taken(await child.api.post("/v1/crashes", key: keys.ingest, Self.crash)) == Taken(duplicates: 1))

        let begin = ContinuousClock.now
        #expect(await child.stop() == 0)
        #expect(ContinuousClock.now - begin < .seconds(18))
        #expect(kill(process, 0) == -1 && errno == ESRCH)

        let next = try await DaemonProcess.start(in: folder.path)
        #expect(try await eventually { try await !Self.shown(next.api, keys)["report"]["frames"][0]["function"].text.isEmpty })
        #expect(try JSON(await next.api.get("/v1/issues", key: keys.read))["items"].items.count == 1)
        #expect(await next.stop() == 0)
        #expect(try StoredCrashes(of: folder.path).problems == [])
    }

    @Test func `without a symbolizer crashes stay unsymbolicated, and the shutdown does not wait`() async throws {
        let folder = TemporaryFolder()
        let child = try await DaemonProcess.start(in: folder.path, environment: ["INGESTD_CRASHES_SYMBOLIZER": "/nowhere/llvm-symbolizer"])
        let keys = try await child.api.makeApp()
        try await Self.bringSymbols(child.api, keys)
        #expect(try Taken(await child.api.post("/v1/crashes", key: keys.ingest, Self.crash)) == Taken(accepted: 1))
        try await child.line(containing: "failed to symbolicate crashes")
        #expect(try JSON(await child.api.get("/v1/system", key: keys.read))["symbol_failure"].text.contains("llvm-symbolizer"))
        let begin = ContinuousClock.now
        #expect(await child.stop() == 0)
        #expect(ContinuousClock.now - begin < .seconds(25))
    }

    @Test func `a missing symbolizer and restarts use up no attempts`() async throws {
        let (folder, beside) = (TemporaryFolder(), TemporaryFolder())
        let program = try Self.hangingSymbolizer(in: beside)
        func run<T>(_ program: String, _ body: (DaemonProcess) async throws -> T) async throws -> T {
            let child = try await DaemonProcess.start(in: folder.path, environment: ["INGESTD_CRASHES_SYMBOLIZER": program])
            let result = try await body(child)
            #expect(await child.stop() == 0)
            return result
        }
        let keys = try await run(program) { child in
            let keys = try await child.api.makeApp()
            try await Self.bringSymbols(child.api, keys)
            #expect(try Taken(await child.api.post("/v1/crashes", key: keys.ingest, Self.crash)) == Taken(accepted: 1))
            return keys
        }
        for _ in 0..<3 {
            let isTold = try await run("/nowhere/llvm-symbolizer") { child in
                try await eventually { child.loggedLines.contains { $0.contains("failed to symbolicate crashes") } }
            }
            #expect(isTold)
        }
        for _ in 0..<3 {
            let hasStarted = try await run(program) { _ in try await eventually { try Self.process(of: program) != nil } }
            #expect(hasStarted)
        }
        let next = try await DaemonProcess.start(in: folder.path)
        #expect(try await eventually { try await !Self.shown(next.api, keys)["report"]["frames"][0]["function"].text.isEmpty })
        #expect(await next.stop() == 0)
    }

    @Test func `a second daemon does not disturb a running upload`() async throws {
        let folder = TemporaryFolder()
        let first = try await DaemonProcess.start(in: folder.path)
        let keys = try await first.api.makeApp()
        let request = TestClient.bytes("PUT", "/v1/symbols/\(Self.build.debugID)", key: keys.admin, body: try Self.build.bytes)
        let upload = try first.api.connect()
        try await upload.send(request.dropLast(100))
        #expect(try await eventually { try Folder.names(in: folder.path + "/uploads").count == 1 })
        #expect(try await DaemonProcess.run(in: folder.path).code != 0)
        try await upload.send(Array(request.suffix(100)))
        #expect(try await upload.reply().status == 201)
        await upload.close()
        #expect(await first.stop() == 0)
        #expect(try StoredCrashes(of: folder.path).problems == [])
    }
}
