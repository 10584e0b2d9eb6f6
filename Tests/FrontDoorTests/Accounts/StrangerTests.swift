// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Database
import Platform
import SQLite
import TestSupport
import Testing

@testable import AccountStore
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

    @Test(arguments: ["reset_password", "verify_email", "sign_in"])
    func `a code costs as many rows and hashes for a stranger, and so does a wrong one`(kind: String) async throws {
        try await AccountWorld.use(methods: "password,code", configure: { ($0.mail.url, $0.mail.from) = ("smtp://localhost:1", "a@b.example") }) {
            world in
            _ = try await world.user()
            // The daemon tells other servers of the new account and removes the row for it.
            #expect(try await eventually { try await world.rows("SELECT count(*) FROM notices") == 0 })
            let redeem = ["/v1/auth/codes/redeem", "/v1/auth/sign-in", "/v1/auth/sign-in"]
            var (asked, wrong): ([Work], [Work]) = ([], [])
            for email in ["ana@example.org", "nobody@example.org"] {
                asked.append(try await world.work(of: "/v1/auth/codes", #"{"kind": "\#(kind)", "email": "\#(email)"}"#))
            }
            // The sender looks up whom the codes concern.
            _ = try await world.live.daemon.store.accounts.claimMail(at: world.clock.now)
            for (place, email) in ["ana@example.org", "nobody@example.org"].enumerated() {
                for path in redeem {
                    let method = path.hasSuffix("sign-in") ? #""method": "code", "# : ""
                    let work = try await world.work(of: path, #"{\#(method)"code": "0000000\#(place)", "email": "\#(email)"}"#)
                    wrong.append(work)
                }
            }
            #expect(asked[0] == asked[1] && asked[0].rows > 0 && asked[0].hashes == 0 && asked[0].status == 202, "\(asked)")
            #expect(wrong.prefix(3).elementsEqual(wrong.suffix(3)) && wrong[0].rows > 0 && wrong.allSatisfy { $0.status == 422 }, "\(wrong)")
        }
    }

    /// The cost of a request.
    fileprivate struct Work: Equatable {
        var status: Int
        var rows: Int
        var hashes: Int
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

extension AccountWorld {
    /// Sends a request and returns the rows of accounts.db that it changed, and its hashes.
    fileprivate func work(of path: String, _ body: String) async throws -> StrangerTests.Work {
        let (changed, hashes) = (try await rows("SELECT total_changes()"), hashed)
        let reply = try await live.api.post(path, key: keys.ingest, body)
        return .init(status: reply.status, rows: try await rows("SELECT total_changes()") - changed, hashes: hashed - hashes)
    }

    /// A number that the writer of accounts.db sees.
    fileprivate func rows(_ sql: String) async throws -> Int {
        try await live.daemon.store.accounts.change { try $0.statement(sql).first { $0.int(0) } ?? 0 }
    }
}

extension Reply {
    /// The parts that a client sees, without the ID and the time of the response.
    fileprivate var visible: String {
        let names = headers.keys.sorted().joined(separator: " ")
        return "\(status) \(names) \(headers["retry-after"] ?? "") \(text.replacing(headers["x-request-id"] ?? "-", with: ""))"
    }
}
