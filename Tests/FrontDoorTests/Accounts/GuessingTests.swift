// SPDX-License-Identifier: Apache-2.0

import Accounts
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Guesses of passwords from many addresses. The hasher's own count tells which of them cost a hash.
@Suite struct GuessingTests {
    private static let addresses = 100
    private static let rounds = 100

    @Test func `of ten thousand guesses from a hundred addresses few reach the hasher, and the owner's device gets in`() async throws {
        try await AccountWorld.use { world in
            let device = #", "installation_id": "phone-of-ana""#
            _ = try await world.user()
            #expect(try await world.signIn(more: device).status == 200)
            let (start, hashed) = (world.clock.now, world.hashed)
            var owner = 0
            for round in 0..<Self.rounds {
                // Each address tries ten times a minute, which alone is allowed.
                world.clock.set(start + .seconds(Int64(6 * round)))
                let statuses = try await Self.guess(world)
                #expect(statuses.allSatisfy { $0 == 401 || $0 == 429 }, "\(statuses)")
                guard round % 10 == 9 else { continue }
                #expect(try await world.signIn(more: device).status == 200)
                owner += 1
            }
            let allowed = Self.allowed(from: start)
            #expect(world.hashed - hashed - owner == allowed && allowed < 20)
        }
    }

    /// Tries once from each address, over ten connections at once. Returns the statuses.
    private static func guess(_ world: AccountWorld) async throws -> [Int] {
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for first in stride(from: 0, to: addresses, by: 10) {
                group.addTask {
                    let connection = try world.live.api.connect()
                    var statuses: [Int] = []
                    for address in first..<first + 10 {
                        statuses.append(try await connection.exchange(world.guess(from: "198.51.100.\(address)")).status)
                    }
                    return statuses
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// The number of guesses that the rule allows strangers: five, and one after each wait.
    private static func allowed(from start: Timestamp) -> Int {
        var throttle = Throttle(at: start)
        return (0..<rounds).reduce(0) { sum, round in
            sum + (0..<addresses).count { _ in throttle.guess(1, device: nil, at: start + .seconds(Int64(6 * round))) == .allowed }
        }
    }

    @Test func `one address reaches the hasher twenty times a minute, whatever accounts it names`() async throws {
        try await AccountWorld.use { world in
            _ = try await world.user()
            let hashed = world.hashed
            let connection = try world.live.api.connect()
            var statuses: [Int] = []
            for number in 0..<60 {
                statuses.append(try await connection.exchange(world.guess(of: "user\(number)@example.org", from: "198.51.100.7")).status)
            }
            #expect(statuses.count { $0 == 401 } == 20 && statuses.count { $0 == 429 } == 40)
            #expect(world.hashed - hashed == 20)
            // Other networks are not affected, and a client cannot choose its address behind the proxy.
            #expect(try await connection.exchange(world.guess(of: "b@example.org", from: "198.51.100.8")).status == 401)
            #expect(try await connection.exchange(world.guess(of: "c@example.org", from: "203.0.113.9, 198.51.100.7")).status == 429)
        }
    }

    @Test func `guesses at once count before they are hashed`() async throws {
        try await AccountWorld.use { world in
            _ = try await world.user()
            let hashed = world.hashed
            let statuses = try await Self.guess(world)
            #expect(statuses.count { $0 == 401 } == 5 && statuses.count { $0 == 429 } == 95)
            #expect(world.hashed - hashed == 5)
        }
    }

    @Test func `a user cannot fill the account events with changes of its own`() async throws {
        try await AccountWorld.use { world in
            let (user, connection) = (try await world.user(), try world.live.api.connect())
            var statuses: [Int] = []
            for number in 0..<40 {
                let body = Array(#"{"name": "Ana \#(number)"}"#.utf8)
                let request = TestClient.bytes("PATCH", "/v1/auth/user", key: user.token, body: body)
                statuses.append(try await connection.exchange(request).status)
            }
            #expect(statuses.count { $0 == 200 } == 30 && statuses.suffix(10).allSatisfy { $0 == 429 }, "\(statuses)")
            let events = try JSON(try await world.live.api.get("/v1/auth/audit?event=changed", key: world.keys.admin))
            #expect(events["items"].items.count == 30)
        }
    }
}

extension AccountWorld {
    /// The number of hashes since the start.
    var hashed: Int { live.daemon.accounts.hashing.figures.hashed }

    /// A wrong password for an address, from a client behind the proxy.
    func guess(of email: String = "ana@example.org", from address: String, password: String = "guess guess guess") -> [UInt8] {
        let body = #"{"method": "password", "email": "\#(email)", "password": "\#(password)"}"#
        return TestClient.bytes("POST", "/v1/auth/sign-in", key: keys.ingest, headers: ["X-Forwarded-For": address], body: Array(body.utf8))
    }
}
