// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Platform
import TestSupport
import Testing

/// Kills of the daemon, and failures, before calls that change a file, during uploads, replacements and deletions.
///
/// Files that were acknowledged are whole, and none is left without a row.
@Suite(.namesFaultSeed) struct FileKillTests {
    /// With this variable of `scripts/faults` every call is tried.
    private static let isWhole = ProcessInfo.processInfo.environment["SIGNALBOX_FAULT_UPLOADS"] != nil
    /// In the row, in a file of its own, and in several reads.
    private static let sizes = [100, 20_000, 140_000]
    private static let settings = ["INGESTD_FILES_RESERVE": "0"]

    /// The bytes of a file in a round.
    private static func bytes(_ size: Int, _ round: Int) -> [UInt8] { someBytes(size, seed: round &* 7) }

    /// Uploads, replaces and deletes files. Returns the bytes of those whose last change was acknowledged; nil for a deleted one.
    private static func work(_ api: TestClient, _ key: String) async -> [String: [UInt8]?] {
        var known: [String: [UInt8]?] = [:]
        for round in 0..<3 {
            for size in sizes {
                for (path, method) in [("kept/\(size)", "PUT"), ("gone/\(size)", round == 2 ? "DELETE" : "PUT")] {
                    known[path] = .some(nil)
                    let body = method == "PUT" ? bytes(size, round) : nil
                    let reply = try? await api.request(method, "/v1/files/1/\(path)", key: key, body: body)
                    guard let reply, reply.status < 300 else {
                        // The change may be durable or not.
                        known[path] = nil
                        continue
                    }
                    known[path] = .some(body)
                }
            }
        }
        return known
    }

    private static func expectWhole(_ folder: String, _ api: TestClient, _ key: String, _ known: [String: [UInt8]?], _ comment: String) async throws {
        for (path, bytes) in known {
            let reply = try await api.get("/v1/files/1/\(path)", key: key)
            if let bytes {
                #expect(reply.status == 200 && reply.body == bytes, "\(comment) \(path)")
            } else {
                #expect(reply.status == 404, "\(comment) \(path)")
            }
        }
        let items = try JSON(await api.get("/v1/files/1?limit=1000", key: key))["items"].items
        for item in items {
            let got = try await api.get("/v1/files/1/\(item["path"].text)", key: key)
            #expect(got.status == 200 && got.body.count == Int(item["size"].number), "\(comment) \(item["path"].text)")
        }
        let onDisk = items.count { $0["size"].number > 16_384 }
        let isClean = try await eventually(within: .seconds(20)) {
            let inner = try Folder.names(in: folder + "/files").flatMap { app in
                try Folder.names(in: "\(folder)/files/\(app)").flatMap { try Folder.names(in: "\(folder)/files/\(app)/\($0)") }
            }
            return try inner.count == onDisk && Folder.names(in: folder + "/incoming").isEmpty
        }
        #expect(isClean, "\(comment)")
    }

    private static func some(of calls: Int) -> StrideThrough<Int> {
        KilledCalls.some(of: calls, about: 3, isWhole: isWhole)
    }

    /// Returns the number of calls, if the daemon survived.
    private static func run(_ prepare: (FaultShim) -> Void, _ comment: String) async throws -> Int {
        let folder = TemporaryFolder()
        let shim = FaultShim(watching: folder.path)
        let child = try await DaemonProcess.start(in: folder.path + "/data", environment: shim.environment.merging(settings) { $1 })
        let key = try await child.api.makeApp().admin
        prepare(shim)
        let known = await work(child.api, key)
        let calls = shim.calls
        shim.heal()
        await child.killHard()
        let next = try await DaemonProcess.start(in: folder.path + "/data", environment: settings)
        try await expectWhole(folder.path + "/data", next.api, key, known, "\(comment), \(String(describing: shim.failedCall))")
        #expect(await next.stop() == 0)
        return calls
    }

    @Test func `after a kill at any call acknowledged files are whole, and none is without a row`() async throws {
        let calls = try await Self.run({ $0.kill(at: .max) }, "no kill")
        for call in Self.some(of: calls) {
            _ = try await Self.run({ $0.kill(at: call) }, "kill at \(call) of \(calls)")
        }
    }

    @Test(arguments: [ENOSPC, EIO])
    func `after a failing call acknowledged files are whole, and none is without a row`(error: Int32) async throws {
        let calls = try await Self.run({ $0.kill(at: .max) }, "no failure")
        for call in Self.some(of: calls) {
            _ = try await Self.run({ $0.fail(error, from: call, failures: 1) }, "error \(error) at \(call) of \(calls)")
        }
    }
}
