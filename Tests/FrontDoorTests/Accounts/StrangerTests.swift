// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Whether responses tell which addresses have an account. `Benchmarks/Accounts/strangers.py` compares their times.
@Suite struct StrangerTests {
    @Test func `a wrong password and an unknown address get the same response, also when they must wait`() async throws {
        try await AccountWorld.use { world in
            _ = try await world.user("ana@example.org")
            let disabled = #"{"id": "off", "email": "off@example.org", "password": "\#(AccountWorld.password)", "disabled": true}"#
            let bare = #"{"id": "bare", "email": "bare@example.org"}"#
            for body in [disabled, bare] { #expect(try await world.live.api.post("/v1/auth/accounts", key: world.keys.admin, body).status == 201) }
            for attempt in 0..<8 {
                var seen: Set<String> = []
                for (place, name) in ["ana", "off", "bare", "nobody"].enumerated() {
                    let request = world.guess(of: "\(name)@example.org", from: "198.51.100.\(10 * attempt + place)")
                    seen.insert(try await world.live.api.connect().exchange(request).visible)
                }
                #expect(seen.count == 1, "\(attempt): \(seen)")
            }
        }
    }

    @Test(arguments: [String(repeating: "a", count: 1_025), "", "\\u0000", "ä ö ü 🐎"])
    func `odd passwords get the same response as well`(password: String) async throws {
        try await AccountWorld.use { world in
            _ = try await world.user("ana@example.org")
            var seen: Set<String> = []
            for name in ["ana", "nobody"] {
                let request = world.guess(of: "\(name)@example.org", from: "198.51.100.1", password: password)
                seen.insert(try await world.live.api.connect().exchange(request).visible)
            }
            #expect(seen.count == 1, "\(seen)")
        }
    }

    @Test func `a device that is known to one account is none of another`() async throws {
        try await AccountWorld.use { world in
            let device = #", "installation_id": "phone-of-ana""#
            _ = try await world.user()
            #expect(try await world.signIn(more: device).status == 200)
            var seen: [[Int]] = []
            for name in ["ana", "nobody"] {
                var statuses: [Int] = []
                for _ in 0..<7 {
                    statuses.append(try await world.signIn("\(name)@example.org", password: "guess guess guess", more: device).status)
                }
                seen.append(statuses)
            }
            #expect(seen[0] == seen[1], "\(seen)")
        }
    }
}

extension Reply {
    /// The parts that a client sees, without the ID and the time of the response.
    fileprivate var visible: String {
        let names = headers.keys.sorted().joined(separator: " ")
        return "\(status) \(names) \(headers["retry-after"] ?? "") \(text.replacing(headers["x-request-id"] ?? "-", with: ""))"
    }
}
