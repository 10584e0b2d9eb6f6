// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import AcrossStores
@testable import FileStore
@testable import ingestd

/// A host of its own for the bytes of files (`files.origin`).
@Suite struct FileOriginTests {
    private static let (api, files) = ("localhost", "files.example")

    private struct Hosts: Sendable {
        let live: LiveDaemon
        let keys: AppKeys

        /// Sends a request that names a host.
        func send(
            _ method: String, _ target: String, at host: String, key: String? = nil, body: [UInt8]? = nil
        ) async throws -> Reply {
            let plain = TestClient.bytes(method, target, key: key, body: body)
            let head = String(decoding: plain, as: UTF8.self).replacing("Host: localhost", with: "Host: \(host)")
            return try await live.api.connect().exchange(Array(head.utf8), toHead: method == "HEAD")
        }
    }

    private static func use(_ body: @Sendable (Hosts) async throws -> Void) async throws {
        try await withDaemon(
            configure: {
                $0.store.files.reserveBytes = 0
                $0.store.files.origin = "https://files.example"
            }
        ) { live in
            let hosts = Hosts(live: live, keys: try await live.api.makeApp())
            let put = try await hosts.send("PUT", "/v1/files/\(hosts.keys.app)/a/b", at: api, key: hosts.keys.admin, body: [0x61])
            #expect(put.status == 201)
            try await body(hosts)
        }
    }

    @Test func `bytes come from the origin alone, by each protocol`() async throws {
        try await Self.use { hosts in
            let (app, key) = (hosts.keys.app, hosts.keys.admin)
            for target in [
                "/v1/files/\(app)/a/b", "/v0/b/\(app)/o/a%2Fb?alt=media", "/b/\(app)/o/a%2Fb?alt=media", "/storage/v1/b/\(app)/o/a%2Fb?alt=media",
                "/download/storage/v1/b/\(app)/o/a%2Fb?alt=media",
            ] {
                for host in [Self.files, "FILES.example:443"] {
                    let got = try await hosts.send("GET", target, at: host, key: key)
                    #expect(got.status == 200 && got.text == "a", "\(target) at \(host)")
                }
                for host in [Self.api, "evil.files.example", "files.example.evil", "files.example:8080"] {
                    let refused = try await hosts.send("GET", target, at: host, key: key)
                    #expect(refused.status == 421 && refused.text != "a", "\(target) at \(host)")
                }
            }
            #expect(try await hosts.live.api.asOperator("GET", "/v1/files/\(app)/a/b").text == "a", "the operator names no host")
        }
    }

    @Test func `nothing but bytes comes from the origin`() async throws {
        try await Self.use { hosts in
            let (app, key) = (hosts.keys.app, hosts.keys.admin)
            let requests = [
                ("GET", "/v1/files/\(app)/a/b?info=1"), ("GET", "/v0/b/\(app)/o/a%2Fb"), ("GET", "/storage/v1/b/\(app)/o/a%2Fb"),
                ("PUT", "/v1/files/\(app)/c"), ("DELETE", "/v1/files/\(app)/a/b"), ("POST", "/v1/files/\(app)/a/b?link"), ("GET", "/v1/files/\(app)"),
                ("POST", "/v0/b/\(app)/o?name=c"), ("POST", "/v1/uploads/\(app)"), ("GET", "/v1/app"), ("POST", "/v1/events"), ("GET", "/healthz"),
                ("GET", "/metrics"), ("GET", "/v1/openapi.json"),
            ]
            for (method, target) in requests {
                let body: [UInt8]? = method == "GET" ? nil : Array("{}".utf8)
                #expect(try await hosts.send(method, target, at: Self.files, key: key, body: body).status == 421, "\(method) \(target)")
                let without = try await hosts.send(method, target, at: Self.files, body: body).status
                #expect(without == (target.hasPrefix("/storage") ? 401 : 421), "\(method) \(target) without a key")
            }
            #expect(try await hosts.send("GET", "/v1/files/\(app)/a/b", at: Self.files, key: key).text == "a")
        }
    }

    @Test func `links and download URLs lead to the origin`() async throws {
        try await Self.use { hosts in
            let app = hosts.keys.app
            let made = try await hosts.send("POST", "/v1/files/\(app)/a/b?link", at: Self.api, key: hosts.keys.admin, body: Array("{}".utf8))
            let url = try JSON(made)["url"].text
            #expect(url.hasPrefix("https://files.example/v1/files/\(app)/a/b?e="))
            let target = String(url.dropFirst("https://files.example".count))
            let described = try await hosts.send("GET", "/v0/b/\(app)/o/a%2Fb", at: Self.api, key: hosts.keys.admin)
            let token = try JSON(described)["downloadTokens"].text
            for target in [target, "/v0/b/\(app)/o/a%2Fb?alt=media&token=\(token)"] {
                let led = try await hosts.send("GET", target, at: Self.api)
                #expect(led.status == 307 && led.headers["location"] == "https://files.example\(target)" && led.body.isEmpty)
                #expect(try await hosts.send("GET", target, at: Self.files).text == "a")
            }
            // The way there says nothing about a file.
            #expect(try await hosts.send("GET", "/v1/files/\(app)/none", at: Self.api).status == 307)
            #expect(try await hosts.send("GET", "/v1/files/\(app)/none", at: Self.files).status == 401)
        }
    }
}
