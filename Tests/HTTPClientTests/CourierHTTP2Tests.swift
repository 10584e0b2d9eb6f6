// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HTTPClient
import Platform
import TestSupport
import Testing

/// Requests to nghttpd, the server of nghttp2.
@Suite(.timeLimit(.minutes(5)))
struct CourierHTTP2Tests {
    @Test func `many requests to one receiver share an HTTP/2 connection`() async throws {
        let folder = TemporaryFolder()
        let certificate = try await TestCertificate.make(in: folder)
        let ends = try ChildProcess.pipe()
        let output = LineReader(ends.reading)
        let server = try ChildProcess(
            // Line buffered, so that no output is lost when the server is stopped.
            "/usr/bin/stdbuf", ["-oL", "/usr/sbin/nghttpd", "-v", "-a", "127.0.0.1", "-d", folder.path, "0", "key.pem", "certificate.pem"],
            in: folder.path, output: ends.writing)
        close(ends.writing)
        let port = try await Self.port(of: server)
        var options = RunningCourier.oneShard()
        options.certificateFile = certificate
        let running = try RunningCourier(options)
        let requests = (1...500).map {
            CourierRequest(id: $0, url: "https://127.0.0.1:\(port)/key.pem", .post(Array("{\"number\": \($0)}".utf8)))
        }
        #expect(running.courier.send(requests, shard: 0))
        let results = await running.next(500)
        #expect(results.allSatisfy { $0.status == 200 && $0.failure == nil } && Set(results.map(\.id)).count == 500)
        server.signal(SIGTERM)
        _ = await server.exitCode()
        let lines = await output.whole().split(separator: "\n")
        #expect(lines.count { $0.contains(":method: POST") } == 500)
        #expect(lines.count { $0 == "The negotiated protocol: h2" } == 1)
    }

    private static func port(of server: ChildProcess) async throws -> UInt16 {
        #expect(try await eventually { try listeningPort(of: server) != nil })
        return try #require(try listeningPort(of: server))
    }

    /// The port chosen by a server that does not report it: its listening socket in the system's table.
    private static func listeningPort(of server: ChildProcess) throws -> UInt16? {
        let folder = "/proc/\(server.pid)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let sockets = Set(names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") })
        // Foundation reads only the first page of the file, which is not all with many open sockets.
        let table = String(decoding: try SmallFile.read("/proc/net/tcp", limit: 64 << 20), as: UTF8.self)
        let rows = table.split(separator: "\n").map { $0.split(separator: " ") }
        let row = rows.first { $0.count > 9 && $0[3] == "0A" && sockets.contains("socket:[\($0[9])]") }
        return row.flatMap { UInt16($0[1].suffix(4), radix: 16) }
    }
}
