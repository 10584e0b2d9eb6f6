// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import HTTPServer
import TestSupport
import Testing

struct TransferLoopTests {
    private static func put(_ length: Int) -> String { "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n" }

    /// A sink that waits before its first piece.
    private static func blocking(_ isBlocked: DispatchSemaphore, _ release: DispatchSemaphore) -> Receiving {
        Receiving { count throws(BodyRefusal) in
            guard count == 0 else { return }
            isBlocked.signal()
            release.wait()
        }
    }

    @Test func `a sink that blocks its loop delays no other request`() async throws {
        let (isBlocked, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let receiving = TransferLoopTests.blocking(isBlocked, release)
        try await serving({ $0.transferLoops = 1 }, plan: receiving.plan) { server in
            let blocked = try Client(port: server.port)
            try blocked.send(TransferLoopTests.put(5) + "hello")
            isBlocked.wait()
            for _ in 0..<100 { #expect(try server.isHealthy()) }
            while !server.hasIterated() {}
            #expect(server.statistics.transfers == 1)
            release.signal()
            #expect(try blocked.receiveAnswer().status == 201)
        }
    }

    @Test func `a connection returns to its own loop after a transfer`() async throws {
        let (isBlocked, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let receiving = TransferLoopTests.blocking(isBlocked, release)
        try await serving({ $0.transferLoops = 1 }, plan: receiving.plan) { server in
            let returned = try Client(port: server.port)
            try returned.send(TransferLoopTests.put(1) + "x")
            isBlocked.wait()
            release.signal()
            #expect(try returned.receiveAnswer().status == 201)
            let blocked = try Client(port: server.port)
            try blocked.send(TransferLoopTests.put(1) + "x")
            isBlocked.wait()
            for _ in 0..<20 { try returned.ask() }
            release.signal()
            #expect(try blocked.receiveAnswer().status == 201)
        }
    }

    @Test func `a second loop starts while the first one is busy`() async throws {
        let (isBlocked, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let receiving = TransferLoopTests.blocking(isBlocked, release)
        try await serving(plan: receiving.plan) { server in
            let blocked = try (0..<2).map { _ in try Client(port: server.port) }
            for client in blocked {
                try client.send(TransferLoopTests.put(1) + "x")
                // Both sinks block at once, each on a loop of its own.
                isBlocked.wait()
            }
            for _ in blocked { release.signal() }
            for client in blocked { #expect(try client.receiveAnswer().status == 201) }
        }
    }

    @Test func `nothing is read for a sink that is busy`() async throws {
        let (isBlocked, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let receiving = TransferLoopTests.blocking(isBlocked, release)
        try await serving(plan: receiving.plan) { server in
            let body = distinctBytes(64 << 20)
            let client = try Client(port: server.port)
            try client.send(TransferLoopTests.put(body.count))
            try client.send(body[..<1_000])
            isBlocked.wait()
            // The kernel's buffers fill up, and the rest stays with the client.
            let sent = 1_000 + client.sendAvailable(body[1_000...])
            #expect(sent < 32 << 20 && server.statistics.receivedBytes <= BodyPiece.largest)
            release.signal()
            try client.send(body[sent...])
            #expect(try client.receiveAnswer().text == RecordingSink.summary(of: body))
        }
    }

    @Test func `a hundred slow uploads do not delay quick requests, and all complete`() async throws {
        let receiving = Receiving()
        try await serving(plan: receiving.plan) { server in
            let slow = try (0..<100).map { _ in try Client(port: server.port) }
            for client in slow { try client.send(TransferLoopTests.put(50) + "x") }
            for round in 0..<49 {
                for client in slow { try client.send("y") }
                let quick = try Client(port: server.port)
                try quick.ask()
                if round == 0 { try server.waitUntil { $0.transfers == 100 } }
            }
            for client in slow { #expect(try client.receiveAnswer().text.hasPrefix("50 ")) }
            #expect(receiving.sinks.count == 100 && receiving.sinks.allSatisfy { $0.ends == ["finish"] })
            try server.waitUntil { $0.transfers == 0 }
        }
    }

    @Test func `transfers are limited in total`() async throws {
        let receiving = Receiving()
        try await serving({ $0.caps.transfers = 2 }, plan: receiving.plan) { server in
            var held: [Client] = []
            for _ in 0..<2 {
                held.append(try Client(port: server.port))
                try held[held.count - 1].send(TransferLoopTests.put(2) + "x")
            }
            try server.waitUntil { $0.transfers == 2 }
            // A transfer is counted before its task makes the sink.
            while receiving.sinks.count < 2 { _ = try server.isHealthy() }
            let rejected = try Client(port: server.port)
            try rejected.send(TransferLoopTests.put(2))
            #expect(try rejected.receiveAnswer().status == 429)
            #expect(receiving.sinks.count == 2)
            try held[0].send("y")
            #expect(try held[0].receiveAnswer().status == 201)
            try server.waitUntil { $0.transfers == 1 }
            try held[0].send(TransferLoopTests.put(2) + "ab")
            #expect(try held[0].receiveAnswer().status == 201)
        }
    }

    @Test func `transfers of a client are limited, also behind a proxy, and free its place when they end`() async throws {
        let receiving = Receiving()
        let folder = TemporaryFolder()
        let path = folder.path + "/file"
        close(open(path, O_WRONLY | O_CREAT, 0o600))
        truncate(path, 32 << 20)
        let plan: @Sendable (HTTPRequestHead) -> HTTPPlan = { head in
            head.method == .get && head.path == "/file"
                ? .respond(HTTPResponse(status: 200, file: FileBody(owning: open(path, O_RDONLY), length: 32 << 20))) : receiving.plan(head)
        }
        try await serving({ $0.caps.transfersPerClient = 1 }, plan: plan) { server in
            let request = { (line: String, address: String) in "\(line) HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \(address)\r\n" }
            let first = try Client(port: server.port)
            try first.send(request("PUT /", "192.0.2.1") + "Content-Length: 2\r\n\r\nx")
            try server.waitUntil { $0.transfers == 1 }
            let second = try Client(port: server.port)
            try second.send(request("GET /file", "192.0.2.1") + "\r\n")
            #expect(try second.receiveAnswer().status == 429)
            // A rejected download keeps the connection.
            try second.send(request("GET /file", "192.0.2.2") + "\r\n")
            #expect(try second.receiveAnswer().body.count == 32 << 20)
            try first.send("y")
            #expect(try first.receiveAnswer().status == 201)
            try server.waitUntil { $0.transfers == 0 }
            try second.send(request("GET /file", "192.0.2.1") + "\r\n")
            #expect(try second.receiveAnswer().body.count == 32 << 20)
        }
    }

    @Test func `transfers continue while draining, and close their connections`() async throws {
        let receiving = Receiving()
        let folder = TemporaryFolder()
        let path = folder.path + "/file"
        close(open(path, O_WRONLY | O_CREAT, 0o600))
        truncate(path, 32 << 20)
        let plan: @Sendable (HTTPRequestHead) -> HTTPPlan = { head in
            head.path == "/file"
                ? .respond(HTTPResponse(status: 200, file: FileBody(owning: open(path, O_RDONLY), length: 32 << 20))) : receiving.plan(head)
        }
        try await serving({ $0.loops = 2 }, plan: plan) { server in
            let upload = try Client(port: server.port)
            try upload.send(TransferLoopTests.put(5) + "he")
            let late = try Client(port: server.port)
            try late.send("PUT /a HTTP/1.1\r\n")
            let download = try Client(port: server.port)
            try download.send("GET /file HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try download.receive()
            while receiving.sinks.first?.count != 2 { _ = try server.isHealthy() }
            server.drain(grace: .seconds(60))
            while (try? Client(port: server.port)) != nil {}
            try upload.send("llo")
            let uploaded = try upload.receiveAnswer()
            #expect(uploaded.status == 201 && uploaded.headers["connection"] == "close")
            #expect(try upload.isEnded())
            // A transfer that begins during the drain.
            try late.send("Host: a\r\nContent-Length: 2\r\n\r\nhi")
            #expect(try late.receiveAnswer().status == 201)
            #expect(try late.isEnded())
            #expect(try download.receiveAnswer().body.count == 32 << 20)
            _ = try download.receiveAll()
        }
    }

    @Test func `uploads after the grace period are abandoned`() async throws {
        let receiving = Receiving()
        try await serving(plan: receiving.plan) { server in
            let client = try Client(port: server.port)
            try client.send(TransferLoopTests.put(5) + "he")
            while receiving.sinks.first?.count != 2 { _ = try server.isHealthy() }
            server.drain(grace: .milliseconds(50))
            #expect(try client.isEnded())
        }
        #expect(receiving.sinks.map(\.ends) == [["stopped"]])
    }

    @Test func `a file is sent to the end of the connection of a client that has closed its side`() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/file"
        close(open(path, O_WRONLY | O_CREAT, 0o600))
        truncate(path, 8 << 20)
        let plan: @Sendable (HTTPRequestHead) -> HTTPPlan = { _ in
            .respond(HTTPResponse(status: 200, file: FileBody(owning: open(path, O_RDONLY), length: 8 << 20)))
        }
        try await serving(plan: plan) { server in
            let client = try Client(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            client.endSending()
            #expect(try client.receiveAnswer().body.count == 8 << 20)
            #expect(try client.isEnded())
        }
    }
}

extension Client {
    /// Sends bytes until the kernel takes no more; returns how many it took.
    fileprivate func sendAvailable(_ bytes: ArraySlice<UInt8>) -> Int {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        return bytes.count - rest.count
    }
}
