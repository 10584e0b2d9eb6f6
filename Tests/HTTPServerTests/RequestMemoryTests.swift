// SPDX-License-Identifier: Apache-2.0

import Compression
import HTTPServer
import TestSupport
import Testing

struct RequestMemoryTests {
    /// Fills a hold in steps of ten and returns its size.
    private func fill(_ hold: MemoryHold) -> Int {
        var taken = 0
        while (try? hold.grow(by: 10)) != nil { taken += 10 }
        return taken
    }

    @Test func `an account may hold half of the free memory`() throws {
        let memory = RequestMemory(limit: 1_200)
        let holds = try (1...4 as ClosedRange<Int64>).map { account in
            let hold = MemoryHold(memory, for: nil)
            try hold.belongs(to: account)
            return hold
        }
        #expect(fill(holds[0]) == 600)
        #expect(fill(holds[1]) == 300)
        #expect(fill(holds[2]) == 150)
        #expect(fill(holds[3]) == 70)
        #expect(fill(holds[0]) == 0)
    }

    @Test func `a client may hold half of an account's share across all accounts`() throws {
        let memory = RequestMemory(limit: 1_200)
        let noisy = (1...3).map { _ in MemoryHold(memory, for: ClientAddress(text: "192.0.2.1")) }
        try noisy[1].belongs(to: 1)
        try noisy[2].belongs(to: 2)
        #expect(noisy.map(fill).reduce(0, +) == 400)
        let other = MemoryHold(memory, for: ClientAddress(text: "192.0.2.2"))
        try other.belongs(to: 1)
        #expect(fill(other) == 260)
    }

    @Test func `an account's requests are charged together across clients`() throws {
        let memory = RequestMemory(limit: 1_200)
        let holds = try (1...6).map { number in
            let hold = MemoryHold(memory, for: ClientAddress(text: "192.0.2.\(number)"))
            try hold.belongs(to: 7)
            try hold.grow(by: 100)
            return hold
        }
        #expect(throws: HTTPRequestError.overloaded) { try holds[0].grow(by: 1) }
        let other = MemoryHold(memory, for: ClientAddress(text: "192.0.2.1"))
        try other.belongs(to: 8)
        try other.grow(by: 100)
    }

    @Test func `requests without a known key share one account until the key is found`() throws {
        let memory = RequestMemory(limit: 1_200)
        let nobody = MemoryHold(memory, for: nil)
        #expect(fill(nobody) == 600)
        let known = MemoryHold(memory, for: nil)
        try known.belongs(to: 1)
        #expect(fill(known) == 300)
        #expect(throws: HTTPRequestError.overloaded) { try nobody.belongs(to: 1) }
        #expect(throws: HTTPRequestError.overloaded) { try nobody.belongs(to: 2) }
        let small = MemoryHold(memory, for: nil)
        #expect(throws: HTTPRequestError.overloaded) { try small.grow(by: 10) }
        try small.belongs(to: 3)
        try small.grow(by: 100)
    }

    @Test func `the operator's requests are exempt from shares`() throws {
        let hold = MemoryHold(RequestMemory(limit: 1_200), for: ClientAddress(text: "192.0.2.1"))
        try hold.belongs(to: RequestMemory.operatorAccount)
        #expect(fill(hold) == 1_200)
    }

    @Test func `held memory is released with the request`() throws {
        let memory = RequestMemory(limit: 200)
        var hold: MemoryHold? = MemoryHold(memory, for: nil)
        try hold?.belongs(to: 3)
        try hold?.grow(by: 100)
        #expect(!memory.reserve(101))
        hold = nil
        #expect(memory.bytes == 0 && !memory.reserve(190) && memory.reserve(180))
        memory.release(180)
        #expect(memory.bytes == 0)
    }

    @Test func `a decompressed body is charged until the request ends`() async throws {
        let held = Shared<[(HTTPRequest, HTTPReply)]>([])
        let plan: @Sendable (HTTPRequestHead) -> HTTPPlan = { head in
            guard head.path == "/hold" else { return echo(head) }
            return .inline(bodyLimit: 100_000, decodedLimit: 100_000, account: 1) { request, reply in held.change { $0.append((request, reply)) } }
        }
        try await serving({ $0.caps.requestMemory = 300_000 }, plan: plan) { server in
            let bomb = gzip([UInt8](repeating: 0x61, count: 90_000))
            let waiting = try Client(port: server.port)
            try waiting.send("POST /hold HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
            try waiting.send(bomb[...])
            while held.current.isEmpty { _ = try server.isHealthy() }
            #expect(try server.post(bomb, coding: "gzip") == 429)
            held.current[0].1.send(HTTPResponse(status: 200))
            #expect(try waiting.receiveAnswer().status == 200)
            #expect(try server.post(bomb, coding: "gzip") == 429, "the handler still holds the request")
            held.change { $0 = [] }
            while try server.post(bomb, coding: "gzip") != 200 {}
        }
    }
}
