// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Kills of the daemon before calls that change a file, during a batch that increments a document.
@Suite(.namesFaultSeed) struct DocumentKillTests {
    @Test func `an increment that is sent until it is answered counts once, whatever call a kill comes before`() async throws {
        let folder = TemporaryFolder()
        let first = try await DaemonProcess.start(in: folder.path)
        let key = try await first.api.makeApp().admin
        #expect(await first.stop() == 0)
        let calls = try #require(await Self.send(1, key, in: folder, killingAt: .max))
        var (kills, batches) = (0, 1)
        for call in KilledCalls.some(of: calls) {
            batches += 1
            if try await Self.send(batches, key, in: folder, killingAt: call) == nil { kills += 1 }
            let child = try await DaemonProcess.start(in: folder.path)
            #expect(try await child.api.post("/v1/documents:commit", key: key, Self.batch(batches)).status == 200, "call \(call)")
            let found = try JSON(try await child.api.post("/v1/documents:get", key: key, #"{"paths": ["counters/c", "log/b\#(batches)"]}"#))
            #expect(found["documents"][0]["fields"]["n"].number == batches, "call \(call)")
            #expect(found["documents"][1]["fields"]["n"].number == batches, "call \(call)")
            let count = #"{"from": "log", "aggregates": {"n": {"count": true}, "s": {"sum": "one"}}}"#
            let sums = try JSON(try await child.api.post("/v1/documents:aggregate", key: key, count))
            #expect(sums["values"]["n"].number == batches && sums["values"]["s"].number == batches, "call \(call)")
            #expect(await child.stop() == 0)
        }
        #expect(kills > 0, "\(calls) calls")
    }

    private static func batch(_ number: Int) -> String {
        #"""
        {"writes": [{"set": "counters/c", "fields": {"n": {"$increment": 1}}, "merge": true},
                    {"set": "log/b\#(number)", "fields": {"n": \#(number), "one": 1}}], "client": "phone", "batch": \#(number)}
        """#
    }

    /// Sends a batch to a daemon that is killed before a call, counted from the request on. Returns the number of calls if it was answered.
    private static func send(_ number: Int, _ key: String, in folder: TemporaryFolder, killingAt call: Int) async throws -> Int? {
        let shim = FaultShim(watching: folder.path)
        let child = try await DaemonProcess.start(in: folder.path, environment: shim.environment)
        shim.kill(at: call)
        let reply = try? await child.api.post("/v1/documents:commit", key: key, batch(number))
        let calls = shim.calls
        shim.heal()
        await child.killHard()
        #expect(reply == nil || reply?.status == 200, "call \(call)")
        return reply == nil ? nil : calls
    }
}
