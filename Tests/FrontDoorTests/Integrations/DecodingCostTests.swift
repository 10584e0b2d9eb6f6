// SPDX-License-Identifier: Apache-2.0

import Compression
import TestSupport
import Testing

@testable import ingestd

/// Small requests that would be costly if their members were scanned again for each entry. The tests count steps and measure no time;
/// `StepTests` covers the budget that a decoder exceeds if it scans a shared object more than once.
@Suite struct DecodingCostTests {
    private static func escaped(_ count: Int) -> String { (0..<count).map { #""\u006b\#($0)":0"# }.joined(separator: ",") }

    private static func calls(_ count: Int) -> String {
        (0..<count).map { #"{"type":"track","event":"e","userId":"u","messageId":"\#($0)"}"# }.joined(separator: ",")
    }

    private static func post(_ live: LiveDaemon, _ path: String, _ key: String, _ text: String) async throws -> Reply {
        let headers = ["Authorization": "Basic " + (key + ":").base64, "Content-Encoding": "gzip", "Content-Type": "application/json"]
        return try await live.api.request("POST", path, headers: headers, body: gzip(Array(text.utf8)))
    }

    @Test func `calls with a large shared object are accepted, and one with too many members is rejected`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            for shape in [#"{M,"batch":[B]}"#, #"{"context":{M},"batch":[B]}"#] {
                func body(_ members: Int) -> String {
                    shape.replacing("M", with: Self.escaped(members)).replacing("B", with: Self.calls(400))
                }
                let taken = try await Self.post(live, "/v1/batch", keys.ingest, body(60_000))
                #expect(taken.status == 200, "\(taken.text)")
                let refused = try await Self.post(live, "/v1/batch", keys.ingest, body(90_000))
                #expect(refused.status == 413 && refused.text.contains("more than 65536 members"), "\(refused.text)")
            }
            let top = try JSON(await live.api.get("/v1/query/top?field=name&from=-1h", key: keys.read))["items"].items
            #expect(top.map { $0["value"].number } == [400])
        }
    }

    @Test func `an event with too many members is rejected or quarantined alone in every integration`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let root = #"{"api_key":"\#(keys.ingest)","event":"e","distinct_id":"u",\#(Self.escaped(480_000))}"#
            let refused = try await Self.post(live, "/batch", keys.ingest, root)
            #expect(refused.status == 413 && refused.text.contains("more than 65536 members"), "\(refused.text)")
            let event = #"{"name":"e","params":{\#(Self.escaped(1_001))}}"#
            let own = try await live.api.post("/v1/events", key: keys.ingest, #"[\#(event),{"name":"f"}]"#)
            #expect(own.status == 200 && own.text.contains("too_many_params") && own.text.contains("more than 1000 members"), "\(own.text)")
            #expect(own.text.contains(#""accepted":1"#) && own.text.contains(#""quarantined":1"#), "\(own.text)")
            let crash = try await live.api.post("/v1/crashes", key: keys.ingest, #"[{"type":"T",\#(Self.escaped(1_000))}]"#)
            #expect(crash.status == 200 && crash.text.contains("too_many_entries"), "\(crash.text)")
        }
    }

    @Test(arguments: ["-", "[", "\"", "NaN,"])
    func `megabytes of invalid JSON are rejected`(unit: String) async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let body = String(repeating: unit, count: (3 << 20) / unit.utf8.count)
            let answer = try await Self.post(live, "/batch/?token=\(keys.ingest)", keys.ingest, body)
            #expect(answer.status == 400 && answer.text.contains("The body"), "\(answer.text)")
        }
    }
}
