// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Routes for loopback clients, and the proxy's socket, whose clients are never loopback.
struct ProxiedAccessTests {
    private static let token = "token_for_scrapers"

    @Test func `proxied requests for metrics are rejected whatever address they claim`() async throws {
        try await withDaemon { live in
            for field in [
                "X-Forwarded-For: unix:", "X-Forwarded-For: unknown", "X-Forwarded-For: _hidden", "X-Forwarded-For:", "X-Forwarded-For: 127.0.0.1",
                "X-Forwarded-For: 203.0.113.7, unix:", "X-Forwarded-For: 203.0.113.7", "X-Real-IP: 203.0.113.7", "Forwarded: for=203.0.113.7",
                "Via: 1.1 cache",
            ] {
                let reply = try await live.metrics(host: "localhost", field)
                #expect(reply.status == 401, "\(field)")
                #expect(try JSON(reply)["code"].text == "unauthorized")
            }
            #expect(try await live.api.get("/metrics").status == 200)
        }
    }

    @Test func `metrics without the token require a Host header that names this machine`() async throws {
        try await withDaemon(configure: {
            $0.metrics.token = Secret(Self.token)
            $0.server.hosts = [HostName("Metrics.Internal")].compactMap(\.self)
        }) { live in
            let named = [
                "localhost", "LOCALHOST.:1", "127.0.0.1:\(live.api.port)", "127.8.8.8", "[::1]:80", "metrics.internal", "METRICS.internal.:9",
            ]
            for host in named { #expect(try await live.metrics(host: host).status == 200, "\(host)") }
            for host in ["attacker.example", "attacker.example:\(live.api.port)", "localhost.attacker.example", "internal", "10.0.0.1", "[::2]"] {
                let reply = try await live.metrics(host: host)
                let problem = try JSON(reply)
                #expect(reply.status == 421 && problem["code"].text == "misdirected_request", "\(host)")
                #expect(problem["title"].text == "Misdirected request")
                #expect(problem["detail"].text.contains("Host") && problem["hint"].text.contains("server.hosts"))
                #expect(!reply.text.contains(host), "the response repeats the host")
                #expect(try await live.metrics(host: host, "X-Forwarded-For: 203.0.113.7").status == 401)
                // With the token any host is accepted; a wrong token changes nothing.
                #expect(try await live.metrics(host: host, "Authorization: Bearer \(Self.token)").status == 200)
                #expect(try await live.metrics(host: host, "Authorization: Bearer token_for_scraperz").status == 421)
            }
            #expect(try await live.exchange("GET /metrics HTTP/1.0\r\n\r\n").status == 421)
            #expect(try await live.exchange("GET http://attacker.example/metrics HTTP/1.1\r\nHost: attacker.example\r\n\r\n").status == 421)
            // Other routes accept any host, and so does the control socket.
            #expect(try await live.exchange("GET /healthz HTTP/1.1\r\nHost: attacker.example\r\n\r\n").status == 200)
            let asked = Array("GET /metrics HTTP/1.1\r\nHost: attacker.example\r\n\r\n".utf8)
            #expect(try await HTTPConnection(.file(live.api.controlSocket)).exchange(asked).status == 200)
        }
    }

    @Test func `a reload applies server.hosts`() async throws {
        try await withDaemon { live in
            let before = try await live.metrics(host: "metrics.internal")
            #expect(before.status == 421)
            var new = live.daemon.settings
            new.server.hosts = [HostName("metrics.internal")].compactMap(\.self)
            live.daemon.configuration.replace(Configuration.settings.reloaded(live.daemon.settings, with: new))
            let after = try await live.metrics(host: "metrics.internal")
            #expect(after.status == 200)
        }
    }

    @Test func `the control socket grants operator rights, the proxy's socket does not`() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/proxy.sock"
        try await withDaemon(configure: {
            $0.server.listen = .unix(path: path)
            $0.metrics.token = Secret(Self.token)
        }) { live in
            #expect(live.daemon.server.address == .unix(path: path))
            let keys = try await live.api.makeApp()
            for field in ["", "X-Forwarded-For: 127.0.0.1\r\n", "X-Forwarded-For: unix:\r\n", "X-Forwarded-For: 203.0.113.7\r\n"] {
                func ask(_ target: String, _ more: String = "") async throws -> Reply {
                    try await HTTPConnection(.file(path)).exchange(Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(field)\(more)\r\n".utf8))
                }
                #expect(try await ask("/v1/apps").status == 404, "\(field)")
                #expect(try await ask("/v1/app").status == 401, "\(field)")
                #expect(try await ask("/metrics").status == 401, "\(field)")
                #expect(try await ask("/metrics", "Authorization: Bearer \(Self.token)\r\n").status == 200, "\(field)")
                #expect(try await ask("/v1/app", "Authorization: Bearer \(keys.read)\r\n").status == 200, "\(field)")
            }
            #expect(try await live.api.asOperator("GET", "/v1/apps").status == 200)
            #expect(try await live.api.asOperator("GET", "/metrics").status == 200)
            let listed = try JSON(await live.api.asOperator("GET", "/v1/apps/\(keys.app)/keys"))
            #expect(listed["items"].items.contains { $0["dsn"].text == "http://\(keys.ingest)@localhost/\(keys.app)" })
        }
    }
}

extension LiveDaemon {
    fileprivate func metrics(host: String, _ field: String? = nil) async throws -> Reply {
        try await exchange("GET /metrics HTTP/1.1\r\nHost: \(host)\r\n" + (field.map { $0 + "\r\n" } ?? "") + "\r\n")
    }

    func exchange(_ bytes: String) async throws -> Reply {
        try await api.connect().exchange(Array(bytes.utf8))
    }
}
