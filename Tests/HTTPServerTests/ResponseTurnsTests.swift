// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HTTPServer

/// The turns of requests that wait for memory of responses, from more addresses than are asked in one turn of a loop.
struct ResponseTurnsTests {
    private static let bytes = 1 << 20

    private let memory: ResponseMemory
    private let mailbox: Mailbox

    init() throws {
        var configuration = HTTPServerConfiguration(listen: [.init(host: "127.0.0.1", port: 0)])
        configuration.caps.responseMemory = 16 * Self.bytes
        configuration.deadlines.responseTurn = .seconds(3_600)
        memory = ResponseMemory(configuration)
        mailbox = try Mailbox()
    }

    private func reply(_ account: Int64, _ address: Int) -> HTTPReply {
        let owner = ResponseOwner(account: account, client: ClientAddress(text: "192.0.2.\(address)"))
        return HTTPReply(mailbox: mailbox, ticket: Ticket(descriptor: 0, generation: 0, serial: 0), responses: memory, owner: owner)
    }

    private func held(_ count: Int, _ account: Int64, _ address: Int) -> [ResponseHold?] {
        (0..<count).map { _ in memory.hold(Self.bytes, of: reply(account, address), mustFit: false) }
    }

    @Test func `a request with room does not wait for the next check behind many without`() async {
        let others = held(9, 1, 0)
        let served = await withTaskGroup(of: Bool.self) { group async -> Int in
            var own = held(4, 2, 201)
            for address in 1...200 {
                group.addTask { (try? await memory.turn(of: reply(1, address), for: Self.bytes)) != nil }
            }
            while memory.waiting < 200 { await Task.yield() }
            group.addTask { (try? await memory.turn(of: reply(2, 201), for: Self.bytes)) != nil }
            while memory.waiting < 201 { await Task.yield() }
            memory.serve(at: 0)
            #expect(memory.waiting == 201)
            own.removeLast(2)
            for _ in 0..<4 { memory.serve(at: 1) }
            #expect(memory.waiting == 200 && own.count == 2)
            memory.end()
            return await group.reduce(into: 0) { count, isServed in if isServed { count += 1 } }
        }
        #expect(served == 1 && others.count == 9)
    }
}
