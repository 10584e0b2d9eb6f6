// SPDX-License-Identifier: Apache-2.0

import Compression
import HTTPServer
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct LimitTests {
    private static let whole = #"[{"id": "whole", "name": "a", "params": {"n": 1}}]"#

    /// The request with both framings, truncated at every length.
    @Test(arguments: [false, true], [false, true])
    func `a truncated request stores nothing and does not affect the daemon`(chunked: Bool, abruptly: Bool) async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let bytes =
                chunked
                ? Self.chunkedRequest(key: keys.ingest) : TestClient.bytes("POST", "/v1/events", key: keys.ingest, body: Array(Self.whole.utf8))
            for end in bytes.indices {
                let connection = try live.api.connect()
                try await connection.send(Array(bytes[..<end]))
                if abruptly {
                    await connection.close(abruptly: true)
                } else {
                    await connection.endSending()
                    // The daemon closes the connection after it handled the request.
                    try await connection.drained()
                }
            }
            let system = try JSON(await live.api.get("/v1/system", key: keys.read))
            #expect(system["events"]["accepted"].number == 0)
            #expect(system["events"]["quarantined"].number == 0)
            #expect(system["ready"].bool)
            #expect(try Taken(await live.api.connect().exchange(bytes)) == Taken(accepted: 1))
        }
    }

    private static func chunkedRequest(key: String) -> [UInt8] {
        var text = "POST /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key)\r\nTransfer-Encoding: chunked\r\n\r\n"
        for start in stride(from: 0, to: whole.count, by: 20) {
            let piece = whole.dropFirst(start).prefix(20)
            text += "\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n"
        }
        return Array((text + "0\r\n\r\n").utf8)
    }

    @Test func `2,000 events are accepted, 2,001 are rejected and store nothing`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            func events(_ count: Int, _ separator: String) -> String { Array(repeating: #"{"name":"a"}"#, count: count).joined(separator: separator) }
            for body in ["[\(events(2_001, ","))]", #"{"events":[\#(events(2_001, ","))]}"#] {
                #expect(try await live.api.post("/v1/events", key: keys.ingest, body).status == 413)
            }
            let lines = ["Content-Type": "application/x-ndjson"]
            #expect(try await live.api.post("/v1/events", key: keys.ingest, headers: lines, events(2_001, "\n")).status == 413)
            #expect(live.stored == 0)
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, "[\(events(2_000, ","))]")) == Taken(accepted: 2_000))
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, headers: lines, events(2_000, "\n"))) == Taken(accepted: 2_000))
        }
    }

    @Test func `5 MiB are accepted and one byte more is rejected, compressed or not`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let most = 5 << 20
            func body(_ count: Int) -> [UInt8] { Array(#"[{"name":"a"}]"#.utf8) + [UInt8](repeating: 0x20, count: count - 14) }
            #expect(try await live.api.request("POST", "/v1/events", key: keys.ingest, body: body(most)).status == 200)
            #expect(try await live.api.request("POST", "/v1/events", key: keys.ingest, body: body(most + 1)).status == 413)
            let coded = ["Content-Encoding": "gzip"]
            #expect(try await live.api.request("POST", "/v1/events", key: keys.ingest, headers: coded, body: gzip(body(most))).status == 200)
            #expect(try await live.api.request("POST", "/v1/events", key: keys.ingest, headers: coded, body: gzip(body(most + 1))).status == 413)
            #expect(live.stored == 2)
        }
    }

    /// 256 MiB in a few KiB, if the coding allows concatenated members.
    static let bombs: [(coding: String, bytes: [UInt8])] = {
        let zeros = [UInt8](repeating: 0, count: 16 << 20)
        let member = gzip(zeros)
        let brotli: [UInt8] = [
            0xcb, 0xff, 0xff, 0x3f, 0x00, 0x24, 0x00, 0xe2, 0xb1, 0x40, 0x72, 0xef, 0xff, 0xf2, 0xff, 0xff, 0x0f, 0x80, 0x04, 0x40, 0x1c, 0x16,
            0x80, 0xee, 0xfd, 0x1f,
        ]
        return [
            ("gzip", Array([[UInt8]](repeating: member, count: 16).joined())), ("deflate", Array(member.dropFirst(10).dropLast(8))),
            ("zstd", Array([[UInt8]](repeating: compress(zeros), count: 16).joined())), ("br", brotli),
        ]
    }()

    @Test func `a compression bomb is rejected in bounded time and memory`() async throws {
        let folder = TemporaryFolder()
        let child = try await DaemonProcess.start(in: folder.path)
        let keys = try await child.api.makeApp()
        let before = child.residentBytes
        for (coding, bomb) in Self.bombs {
            let start = ContinuousClock.now
            do {
                let answer = try await child.api.request("POST", "/v1/events", key: keys.ingest, headers: ["Content-Encoding": coding], body: bomb)
                #expect(answer.status == 413, "\(coding)")
            }
            #expect(ContinuousClock.now - start < .seconds(40), "\(coding)")
        }
        #expect(child.residentBytes - before < 64 << 20)
        #expect(try await child.api.get("/readyz").status == 200)
        #expect(await child.stop() == 0)
    }

    @Test func `a page requested many times without reading is in memory once`() async throws {
        let folder = TemporaryFolder()
        let child = try await DaemonProcess.start(in: folder.path)
        let page = try await child.api.get("/v1/openapi.json").body.count
        let before = child.residentBytes
        // More than the kernel's socket buffers take.
        let requests = [[UInt8]](repeating: TestClient.bytes("GET", "/v1/openapi.json"), count: 40).joined()
        var connections: [HTTPConnection] = []
        for _ in 0..<150 {
            connections.append(try child.api.connect())
            try await connections.last?.send(Array(requests))
        }
        for connection in connections { #expect(try await connection.head().status == 200) }
        for _ in 0..<20 { #expect(try await child.api.get("/readyz").status == 200) }
        #expect(child.residentBytes - before < connections.count * page / 3)
        for connection in connections { await connection.close(abruptly: true) }
        await child.killHard()
    }

    @Test func `unsupported codings and types are rejected`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            for headers in [["Content-Encoding": "compress"], ["Content-Encoding": "gzip, br"], ["Content-Type": "application/xml"]] {
                let answer = try await live.api.post("/v1/events", key: keys.ingest, headers: headers, Self.whole)
                #expect(answer.status == 415, "\(headers)")
            }
            let broken = try await live.api.post("/v1/events", key: keys.ingest, headers: ["Content-Encoding": "gzip"], Self.whole)
            #expect(broken.status == 400)
            #expect(live.stored == 0)
        }
    }

    @Test func `an unknown parameter is rejected`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let targets = [
                ("GET", "/v1/export"), ("GET", "/v1/quarantine"), ("GET", "/v1/query/series"), ("GET", "/v1/system"), ("GET", "/v1/app"),
                ("POST", "/v1/quarantine/replay"),
            ]
            for (method, path) in targets {
                let answer = try await live.api.request(method, path + "?form=csv", key: keys.admin, body: method == "POST" ? [] : nil)
                #expect(answer.status == 422, "\(path)")
                #expect(try JSON(answer)["errors"][0]["field"].text == "form")
            }
            for pair in ["limit=0", "limit=1001", "limit=ten", "limit=1&limit=2", "after=-1", "after=x"] {
                #expect(try await live.api.get("/v1/quarantine?" + pair, key: keys.read).status == 422, "\(pair)")
            }
            for pair in ["interval=eon", "tz=Mars/Olympus", "from=later", "from=now&to=-1d", "interval=minute&from=-365d", "metric=nothing"] {
                #expect(try await live.api.get("/v1/query/series?" + pair, key: keys.read).status == 422, "\(pair)")
            }
            #expect(try await live.api.get("/v1/export?from=%ff", key: keys.read).status == 400)
        }
    }
}
