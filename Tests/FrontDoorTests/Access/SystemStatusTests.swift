// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// The figures that `/v1/system` shows to apps and to the operator.
@Suite struct SystemStatusTests {
    private static let machine = [
        "machine", "uptime_seconds", "connections", "commits", "queue", "wal_bytes", "free_disk_bytes", "main_bytes", "partitions",
    ]

    @Test func `an app's key sees its own figures, the operator all`() async throws {
        try await withDaemon { live async throws in
            let (ours, theirs) = (try await live.api.makeApp("ours"), try await live.api.makeApp("theirs"))
            let body = #"[{"id": "1", "name": "a"}, {"id": "1", "name": "a"}, {"name": ""}]"#
            #expect(try await live.api.post("/v1/events", key: ours.ingest, body).status == 200)
            #expect(try await live.api.post("/v1/events", key: theirs.ingest, #"[{"name": "a"}, {"name": "b"}]"#).status == 200)
            func counts(_ system: JSON) -> [Int] { ["accepted", "duplicates", "quarantined"].map { system["events"][$0].number } }
            for (keys, expected, sent) in [(ours, [1, 1, 1], 3), (theirs, [2, 0, 0], 2)] {
                for key in [keys.read, keys.admin] {
                    let reply = try await live.api.get("/v1/system", key: key)
                    let system = try JSON(reply)
                    #expect(counts(system) == expected && system["usage"]["events"].number == sent && system["ready"].bool)
                    for name in Self.machine { #expect(!system[name].exists && !reply.text.contains("\"\(name)\""), "\(name)") }
                }
            }
            // A key cannot name another app.
            #expect(try counts(JSON(await live.api.get("/v1/system?app=theirs", key: ours.read))) == [1, 1, 1])
            let all = try JSON(await live.api.asOperator("GET", "/v1/system"))
            #expect(counts(all) == [3, 1, 1] && !all["usage"].exists)
            for name in Self.machine.dropFirst() { #expect(all["machine"][name].exists, "\(name)") }
            let one = try JSON(await live.api.asOperator("GET", "/v1/system?app=theirs"))
            #expect(counts(one) == [2, 0, 0] && one["usage"]["events"].number == 2 && one["machine"]["commits"]["count"].exists)
            #expect(try await live.api.asOperator("GET", "/v1/system?app=nobody").status == 404)
        }
    }
}
