// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HTTPClient
import TestSupport
import Testing

/// A self-signed certificate of a receiver, at 127.0.0.1 unless named otherwise.
enum TestCertificate {
    static let openssl = "/usr/bin/openssl"

    /// Creates `key.pem` and `certificate.pem` and returns the certificate's path.
    static func make(in folder: TemporaryFolder, for names: String = "IP:127.0.0.1") async throws -> String {
        let made = try await ChildProcess.run(
            openssl,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=receiver",
                "-addext", "subjectAltName=\(names)", "-keyout", "key.pem", "-out", "certificate.pem",
            ], in: folder.path)
        #expect(made.code == 0)
        return folder.path + "/certificate.pem"
    }
}

/// Requests to OpenSSL's server.
@Suite(.timeLimit(.minutes(5)))
struct CourierTLSTests {
    private static let openssl = TestCertificate.openssl
    private static let hasOpenSSL = FileManager.default.isExecutableFile(atPath: openssl)

    @Test(.enabled(if: hasOpenSSL, "needs the openssl command"))
    func `an unknown certificate authority is rejected, and accepted when configured`() async throws {
        let folder = TemporaryFolder()
        let certificate = try await TestCertificate.make(in: folder)
        let ends = try ChildProcess.pipe()
        let output = LineReader(ends.reading)
        let server = try ChildProcess(
            CourierTLSTests.openssl, ["s_server", "-accept", "127.0.0.1:0", "-www", "-key", "key.pem", "-cert", "certificate.pem"], in: folder.path,
            output: ends.writing)
        close(ends.writing)
        let accepting = try await output.line { $0.hasPrefix("ACCEPT ") }
        let port = try #require(accepting.split(separator: ":").last)
        var options = RunningCourier.oneShard()
        #expect(
            try await RunningCourier(options).result(of: CourierRequest(id: 1, url: "https://127.0.0.1:\(port)/", .get)).failure
                == .certificateRejected)
        options.certificateFile = certificate
        let running = try RunningCourier(options)
        let taken = try await running.result(of: CourierRequest(id: 1, url: "https://127.0.0.1:\(port)/", .get))
        #expect(taken.status == 200 && taken.failure == nil)
        // The name is not in the certificate.
        let other = try await running.result(of: CourierRequest(id: 1, url: "https://localhost:\(port)/", .get))
        #expect(other.failure == .certificateRejected)
        server.signal(SIGTERM)
        _ = await server.exitCode()
    }

    @Test func `an https request to a receiver without TLS fails`() async throws {
        let receiver = try Receiver(.answersAndLeaves("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"))
        let result = try await RunningCourier().result(of: CourierRequest(id: 1, url: "https://127.0.0.1:\(receiver.port)/", .get))
        #expect(result.failure == .tlsFailed && result.status == 0)
    }
}
