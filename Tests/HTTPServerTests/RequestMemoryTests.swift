import Compression
import HTTPServer
import Testing

struct RequestMemoryTests {
    @Test func `memory is free for all below half of the budget, and shared out above it`() throws {
        let memory = RequestMemory(limit: 1_000, share: 200)
        let noisy = MemoryHold(memory, for: ClientAddress(text: "192.0.2.1"))
        noisy.belongs(to: 1)
        try noisy.grow(by: 500)
        #expect(throws: HTTPFault.overloaded) { try noisy.grow(by: 1) }
        let quiet = MemoryHold(memory, for: ClientAddress(text: "192.0.2.2"))
        quiet.belongs(to: 2)
        try quiet.grow(by: 200)
        #expect(throws: HTTPFault.overloaded) { try quiet.grow(by: 1) }
        #expect(memory.bytes == 700)
    }

    @Test func `a client has its share before its key is known, however much is free`() throws {
        let memory = RequestMemory(limit: 1_000, share: 200)
        let (first, second) = (MemoryHold(memory, for: ClientAddress(text: "192.0.2.1")), MemoryHold(memory, for: ClientAddress(text: "192.0.2.1")))
        try first.grow(by: 150)
        try second.grow(by: 50)
        #expect(throws: HTTPFault.overloaded) { try first.grow(by: 1) }
        try MemoryHold(memory, for: ClientAddress(text: "192.0.2.2")).grow(by: 200)
        first.belongs(to: 1)
        try first.grow(by: 300)
    }

    @Test func `the operator's requests wait for nobody's share`() throws {
        let memory = RequestMemory(limit: 1_000, share: 200)
        let hold = MemoryHold(memory, for: nil)
        hold.belongs(to: RequestMemory.operatorAccount)
        try hold.grow(by: 1_000)
        #expect(throws: HTTPFault.overloaded) { try hold.grow(by: 1) }
    }

    @Test func `an account's requests have one share, from whatever client they come`() throws {
        let memory = RequestMemory(limit: 1_000, share: 200)
        let holds = (1...6).map { MemoryHold(memory, for: ClientAddress(text: "192.0.2.\($0)")) }
        for hold in holds {
            hold.belongs(to: 7)
            try hold.grow(by: 80)
        }
        #expect(throws: HTTPFault.overloaded) { try holds[0].grow(by: 21) }
        let other = MemoryHold(memory, for: ClientAddress(text: "192.0.2.1"))
        other.belongs(to: 8)
        try other.grow(by: 100)
    }

    @Test func `requests without a known key hold half at most, even through a proxy that is trusted`() throws {
        let memory = RequestMemory(limit: 1_000, share: 200)
        let nobody = MemoryHold(memory, for: nil)
        try nobody.grow(by: 500)
        let known = MemoryHold(memory, for: nil)
        known.belongs(to: 1)
        try known.grow(by: 200)
        #expect(throws: HTTPFault.overloaded) { try nobody.grow(by: 1) }
        nobody.belongs(to: 2)
        #expect(throws: HTTPFault.overloaded) { try nobody.grow(by: 1) }
        try MemoryHold(memory, for: nil).grow(by: 100)
    }

    @Test func `what is held comes back when nobody has the request any more`() throws {
        let memory = RequestMemory(limit: 100, share: 100)
        var hold: MemoryHold? = MemoryHold(memory, for: nil)
        hold?.belongs(to: 3)
        try hold?.grow(by: 100)
        #expect(!memory.reserve(1))
        hold = nil
        #expect(memory.bytes == 0 && memory.reserve(100))
        memory.release(100)
        #expect(memory.bytes == 0)
    }

    @Test func `what a body decompresses to is charged until the request is gone`() async throws {
        let held = Shared<[(HTTPRequest, HTTPReply)]>([])
        let plan: @Sendable (HTTPRequestHead) -> HTTPPlan = { head in
            guard head.path == "/hold" else { return echo(head) }
            return .inline(bodyLimit: 100_000, decodedLimit: 100_000, account: 1) { request, reply in held.change { $0.append((request, reply)) } }
        }
        try await serving({ $0.caps.requestMemory = 150_000 }, plan: plan) { server in
            let bomb = gzip([UInt8](repeating: 0x61, count: 90_000))
            let waiting = try Client(port: server.port)
            try waiting.send("POST /hold HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
            try waiting.send(bomb[...])
            while held.current.isEmpty { _ = try server.isHealthy() }
            #expect(try server.post(bomb, coding: "gzip") == 503)
            held.current[0].1.send(HTTPResponse(status: 200))
            #expect(try waiting.receiveAnswer().status == 200)
            #expect(try server.post(bomb, coding: "gzip") == 503, "the handler still has the request")
            held.change { $0 = [] }
            while try server.post(bomb, coding: "gzip") != 200 {}
        }
    }
}
