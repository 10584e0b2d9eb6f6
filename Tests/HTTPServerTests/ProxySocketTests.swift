// SPDX-License-Identifier: Apache-2.0

import Glibc
import HTTPServer
import Platform
import TestSupport
import Testing

/// The socket file of a proxy and the addresses of its clients.
struct ProxySocketTests {
    private let path = "/tmp/http-test-\(UInt64.random(in: 0 ... .max)).sock"

    /// Responds to `/` with the client's address, and leaves `/wait` without a response.
    private static func plan(_ replies: Shared<[HTTPReply]> = Shared([])) -> @Sendable (HTTPRequestHead) -> HTTPPlan {
        { head in
            guard head.path != "/wait" else { return .inline(bodyLimit: 0, decodedLimit: 0) { _, reply in replies.change { $0.append(reply) } } }
            let client = head.client
            let text = "\(client) loopback=\(client.isLoopback) operator=\(client.isControlSocket)"
            return .respond(HTTPResponse(status: 200, body: Array(text.utf8)))
        }
    }

    @Test func `a client on the proxy's socket is the forwarded address or unknown, never loopback or the operator`() async throws {
        let path = path
        try await serving({ $0.proxySocket = path }, plan: Self.plan()) { server in
            #expect(server.proxySocket == path)
            let client = try Client(path: path)
            for header in [
                "", "X-Forwarded-For:", "X-Forwarded-For: unix:", "X-Forwarded-For: unknown", "X-Forwarded-For: 127.0.0.1", "X-Forwarded-For: ::1",
                "X-Forwarded-For: 192.0.2.1, _hidden", "X-Forwarded-For: 127.0.0.1, 127.0.0.2", "X-Real-IP: 127.0.0.1", "Forwarded: for=127.0.0.1",
            ] {
                #expect(try client.clientLine(header) == "unknown loopback=false operator=false", "\(header)")
            }
            #expect(try client.clientLine("X-Forwarded-For: 127.0.0.1, 192.0.2.1") == "192.0.2.1 loopback=false operator=false")
            #expect(try client.clientLine("X-Forwarded-For: 2001:db8::1") == "2001:db8::1 loopback=false operator=false")
        }
    }

    @Test func `a loopback peer with a proxy's header is unknown whatever is trusted`() async throws {
        for trusted in [["127.0.0.0/8", "::1"].compactMap(AddressRange.init), []] {
            try await serving({ $0.trustedProxies = trusted }, plan: Self.plan()) { server in
                let client = try Client(port: server.port)
                for field in [
                    "X-Forwarded-For:", "X-Forwarded-For: unix:", "x-forwarded-for: 127.0.0.1", "X-Real-IP: 192.0.2.1", "Forwarded: for=192.0.2.1",
                    "Via: 1.1 cache", "X-Forwarded-Proto: https", "X-Forwarded-Host: localhost",
                ] {
                    #expect(try client.clientLine(field) == "unknown loopback=false operator=false", "\(field)")
                }
                #expect(try client.clientLine("") == "127.0.0.1 loopback=true operator=false")
            }
        }
    }

    @Test func `each forwarded client has its own limit, and unknown ones share one`() async throws {
        let replies = Shared<[HTTPReply]>([])
        let path = path
        let configure = { @Sendable (configuration: inout HTTPServerConfiguration) in
            configuration.proxySocket = path
            configuration.caps.connectionsPerAddress = 2
            configuration.trustedProxies = ["10.0.0.0/8", "127.0.0.0/8"].compactMap(AddressRange.init)
        }
        try await serving(configure, plan: Self.plan(replies)) { server in
            let overTCP = try Client(port: server.port)
            // Two requests of each client wait; connections of the proxy are unlimited. A trusted address without a hop before it has a limit too.
            let clients = [
                ["X-Forwarded-For: 192.0.2.1"], ["X-Forwarded-For: 10.0.0.9"], ["", "X-Forwarded-For: unix:", "X-Forwarded-For: 127.0.0.1"],
            ]
            var waiting: [Client] = []
            for fields in clients {
                for index in 0..<2 {
                    let client = try Client(path: path)
                    try client.request("/wait", fields[index % fields.count])
                    waiting.append(client)
                    while replies.current.count < waiting.count { _ = try overTCP.clientLine("") }
                }
                for field in fields { #expect(try Client(path: path).status(field) == 429, "\(field)") }
            }
            #expect(try Client(port: server.port).status("X-Forwarded-For: unknown") == 429)
            #expect(try Client(path: path).status("X-Forwarded-For: 192.0.2.2") == 200)
            for reply in replies.current { reply.send(HTTPResponse(status: 200)) }
            for client in waiting { #expect(try client.receiveAnswer().status == 200) }
            #expect(try waiting[0].clientLine("X-Forwarded-For: 192.0.2.1").hasPrefix("192.0.2.1 "))
        }
    }

    @Test func `bodies from unknown clients share one address's budget`() async throws {
        let path = path
        // Each request has another account, so that only the client is shared.
        let accounts = Shared<Int64>(0)
        let plan: @Sendable (HTTPRequestHead) -> HTTPPlan = { _ in
            accounts.change { $0 += 1 }
            return .inline(bodyLimit: 100_000, decodedLimit: 100_000, account: accounts.current) { $1.send(echoed($0)) }
        }
        try await serving(
            {
                $0.proxySocket = path
                $0.caps.requestMemory = 400_000
            }, plan: plan
        ) { server in
            let most = String(repeating: "x", count: 80_000)
            func begin(_ field: String) throws -> Client {
                let connection = try Client(path: path)
                try? connection.send("POST / HTTP/1.1\r\nHost: a\r\n\(field)Content-Length: 90000\r\n\r\n" + most)
                return connection
            }
            let first = try begin("")
            #expect(try begin("X-Forwarded-For: unix:\r\n").receiveAnswer().status == 429)
            let named = try begin("X-Forwarded-For: 192.0.2.1\r\n")
            for connection in [first, named] {
                try connection.send(String(repeating: "x", count: 10_000))
                #expect(try connection.receiveAnswer().status == 200)
            }
        }
    }

    @Test func `the control socket accepts connections beyond the proxy's limit`() async throws {
        let path = path, control = path + ".control"
        try await serving(
            {
                $0.proxySocket = path
                $0.controlSocket = control
                $0.caps.connections = 2
            }, plan: Self.plan()
        ) { _ in
            let proxied = try (0..<2).map { _ in try Client(path: path) }
            for client in proxied { _ = try client.clientLine("") }
            #expect(try Client(path: path).isEnded())
            let operating = try Client(path: control)
            #expect(try operating.clientLine("X-Forwarded-For: 192.0.2.1") == "control socket loopback=false operator=true")
        }
    }

    @Test func `the socket file has mode 660, is removed at the end and replaces only a stale socket`() async throws {
        let path = path
        func mode() -> mode_t? {
            var status = stat()
            return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
        }
        let make = { @Sendable in
            var configuration = HTTPServerConfiguration(listen: [])
            configuration.proxySocket = path
            return try HTTPServer(configuration: configuration, plan: echo) { _, _ in HTTPResponse(status: 500) }
        }
        try await serving({ $0.proxySocket = path }) { _ in
            #expect(throws: HTTPServerError.cannotListen(path, "another process listens there")) { _ = try make() }
        }
        #expect(mode() == nil)
        // As left by a killed process.
        let stale = try #require(Client.listeningFile(path))
        close(stale)
        try await serving({ $0.proxySocket = path }) { _ in
            _ = try Client(path: path).clientLine("")
        }
        let server = try make()
        #expect(mode() == 0o660)
        withExtendedLifetime(server) {}
        let plain = open(path + ".plain", O_CREAT | O_WRONLY, 0o600)
        close(plain)
        defer { unlink(path + ".plain") }
        var configuration = HTTPServerConfiguration(listen: [])
        configuration.proxySocket = path + ".plain"
        #expect(throws: HTTPServerError.cannotListen(path + ".plain", "the path is not a socket")) {
            _ = try HTTPServer(configuration: configuration, plan: echo) { _, _ in HTTPResponse(status: 500) }
        }
    }

    @Test func `a socket file with a full backlog is in use`() throws {
        let listening = try #require(Client.listeningFile(path, backlog: 0))
        defer {
            close(listening)
            unlink(path)
        }
        let waiting = try Client(path: path)
        var configuration = HTTPServerConfiguration(listen: [])
        configuration.proxySocket = path
        #expect(throws: HTTPServerError.cannotListen(path, "another process listens there")) {
            _ = try HTTPServer(configuration: configuration, plan: echo) { _, _ in HTTPResponse(status: 500) }
        }
        withExtendedLifetime(waiting) {}
    }
}

extension Client {
    fileprivate func request(_ target: String, _ field: String) throws {
        try send("GET \(target) HTTP/1.1\r\nHost: a\r\n" + (field.isEmpty ? "" : field + "\r\n") + "\r\n")
    }

    /// The client's address that the server derives from a field.
    fileprivate func clientLine(_ field: String) throws -> String {
        try request("/", field)
        let answer = try receiveAnswer()
        guard answer.status == 200 else { throw Failure.unreadable("\(answer.status)") }
        return answer.text
    }

    fileprivate func status(_ field: String) throws -> Int {
        try request("/", field)
        return try receiveAnswer().status
    }
}
