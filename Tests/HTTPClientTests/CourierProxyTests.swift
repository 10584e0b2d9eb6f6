// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HTTPClient
import Platform
import TestSupport
import Testing

/// Requests through a proxy, which resolves names. No host here has an address: `.invalid` names are never resolved.
@Suite(.timeLimit(.minutes(5)))
struct CourierProxyTests {
    private let fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private static func through(_ url: String, block: @escaping @Sendable (String, Int) -> CourierFailure? = { _, _ in nil }) -> CourierProxy {
        CourierProxy(url: { ProxyURL(url) }, block: block)
    }

    @Test(arguments: ["http", "socks5h"]) func `the proxy gets the name, and the receiver the request`(scheme: String) async throws {
        let receiver = try Receiver(.answers(fine))
        let proxy = try ProxyServer(to: receiver.port)
        // The policy for addresses would forbid the proxy's own.
        let running = try RunningCourier(mayConnect: { _ in false }, proxy: Self.through("\(scheme)://127.0.0.1:\(proxy.port)"))
        for _ in 0..<2 {
            let result = try await running.result("http://hooks.invalid/hook?a=b")
            #expect(result.status == 200 && result.failure == nil && result.response == Array("ok".utf8))
        }
        // A tunnel serves both requests.
        #expect(proxy.requests == (scheme == "http" ? Array(repeating: "POST http://hooks.invalid/hook?a=b", count: 2) : ["SOCKS hooks.invalid:80"]))
        #expect(receiver.requests.allSatisfy { $0.hasPrefix("POST /hook?a=b HTTP/1.1\r\n") && $0.contains("Host: hooks.invalid\r\n") })
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: TestCertificate.openssl), "needs the openssl command"))
    func `TLS is between this side and the receiver`() async throws {
        let folder = TemporaryFolder()
        var options = RunningCourier.oneShard()
        options.certificateFile = try await TestCertificate.make(in: folder, for: "DNS:hooks.invalid")
        let ends = try ChildProcess.pipe()
        let output = LineReader(ends.reading)
        let server = try ChildProcess(
            TestCertificate.openssl, ["s_server", "-accept", "127.0.0.1:0", "-www", "-key", "key.pem", "-cert", "certificate.pem"], in: folder.path,
            output: ends.writing)
        close(ends.writing)
        let accepting = try await output.line { $0.hasPrefix("ACCEPT ") }
        let proxy = try ProxyServer(to: try #require(accepting.split(separator: ":").last.flatMap { UInt16($0) }))
        let running = try RunningCourier(options, proxy: Self.through("http://ann:p%40ss@127.0.0.1:\(proxy.port)"))
        let result = try await running.result(of: CourierRequest(id: 1, url: "https://hooks.invalid/", .get))
        #expect(result.status == 200 && result.failure == nil)
        let other = try await running.result(of: CourierRequest(id: 1, url: "https://other.invalid/", .get))
        #expect(other.failure == .certificateRejected)
        #expect(proxy.requests == ["CONNECT hooks.invalid:443", "CONNECT other.invalid:443"] && proxy.logins == ["ann:p@ss"])
        server.signal(SIGTERM)
        _ = await server.exitCode()
    }

    @Test func `the rule for hosts applies before the proxy is asked`() async throws {
        let receiver = try Receiver(.answers(fine))
        let proxy = try ProxyServer(to: receiver.port)
        let running = try RunningCourier(
            proxy: Self.through("http://127.0.0.1:\(proxy.port)") { host, port in
                port == 8_080 ? .blockedPort : ["10.0.0.7", "fd00::1"].contains(host) ? .blockedAddress : nil
            })
        // libcurl reads numbers as addresses, too.
        for url in ["http://10.0.0.7/", "http://10.0.0.7:81/", "https://[fd00::1]/", "http://167772167/", "http://0xa.7/"] {
            #expect(try await running.result(url).failure == .blockedAddress, "\(url)")
        }
        #expect(try await running.result("http://hooks.invalid:8080/").failure == .blockedPort)
        #expect(proxy.requests.isEmpty && receiver.connections == 0)
    }

    @Test(arguments: ["http", "https", "socks5h"]) func `a proxy that refuses or is gone is a failure of its own`(scheme: String) async throws {
        let receiver = try Receiver(.answers(fine))
        let proxy = try ProxyServer(to: receiver.port)
        proxy.refuse(true)
        if scheme != "https" {
            let running = try RunningCourier(proxy: Self.through("\(scheme)://127.0.0.1:\(proxy.port)"))
            let refused = try await running.result("https://hooks.invalid/")
            #expect(refused.failure == .proxyFailed && refused.status == 0)
        }
        let (listener, port) = try Loopback.listen()
        close(listener)
        let gone = try RunningCourier(proxy: Self.through("\(scheme)://127.0.0.1:\(port)"))
        #expect(try await gone.result("http://hooks.invalid/").failure == .proxyFailed)
        let unknown = try RunningCourier(proxy: Self.through("\(scheme)://proxy.invalid:1"))
        // Without a name server the lookup may take its whole time.
        let failure = try await unknown.result("http://hooks.invalid/", within: .seconds(20)).failure
        #expect(failure == .proxyFailed || failure == .timedOut)
        #expect(receiver.connections == 0)
    }

    @Test func `a proxy that wants a password is a failure of its own, and a receiver that does is not`() async throws {
        let asking = try Receiver(.answers("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"))
        let running = try RunningCourier(proxy: Self.through("http://127.0.0.1:\(asking.port)"))
        let result = try await running.result("http://hooks.invalid/")
        #expect(result.failure == .proxyFailed && result.status == 0)
        #expect(try await RunningCourier().result(asking.url).status == 407)
    }
}
