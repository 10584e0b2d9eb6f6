// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Query results depend on the events only, not on the time, order and number of their arrivals.
@Suite struct QueryOrderTests {
    private static let start = Day(year: 2026, month: 11, day: 2).start
    private static let now = start + .days(16) + .hours(9)

    /// Persons with and without a user who change installations, arrive late, buy and refund.
    private static let events: [String] = {
        var random = SeededGenerator(11)
        return (0..<400).map { number in
            let time = start + .minutes(Int64.random(in: 0..<12 * 24 * 60, using: &random))
            let installation = Int.random(in: 0..<15, using: &random)
            let user = Int.random(in: 0..<3, using: &random) == 0 ? #", "user_id": "u\#(installation / 2)""# : ""
            let session = Int.random(in: 0..<4, using: &random) == 0 ? #", "session_id": "s\#(number / 40)""# : ""
            let screen = #""name": "screen_view", "params": {"screen_name": "S\#(Int.random(in: 0..<5, using: &random))"}"#
            let purchase = #""name": "purchase", "params": {"value": \#(number).5, "currency": "EUR", "transaction_id": "t\#(number)"}"#
            let what = [screen, screen, #""name": "open""#, purchase, #""name": "refund", "params": {"value": 1, "currency": "EUR"}"#]
            return
                #"{"id": "e\#(number)", "timestamp": "\#(time.rfc3339)", "installation_id": "i\#(installation)"\#(user)\#(session), \#(what[number % 5])}"#
        }
    }()

    private static let questions = [
        "series?interval=hour", "series?metric=users", "series?metric=users&breakdown=params.screen_name&limit=2", "series?metric=sessions",
        "series?metric=revenue", "series?filter=params.screen_name=S1&interval=week", "top?field=params.screen_name&metric=users", "active-users",
        "retention?periods=5", "retention?start=open&return=purchase&cohort=recurring&periods=5",
        "funnel?steps=open&steps=screen_view&steps=purchase",
        "funnel?steps=screen_view&steps=purchase&order=strict&window=12h", "revenue", "sessions", "lifecycle", "lifecycle?interval=week", "realtime",
    ]

    @Test func `late, repeated and unordered events give the same results`() async throws {
        let inOrder = try await Self.answers { live, _, keys in
            let reply = try await live.api.post("/v1/events", key: keys.ingest, "[\(Self.events.joined(separator: ","))]")
            #expect(try Taken(reply) == Taken(accepted: Self.events.count))
        }
        var random = SeededGenerator(5)
        let shuffled = Self.events.shuffled(using: &random)
        let outOfOrder = try await Self.answers { live, clock, keys in
            for (number, first) in stride(from: 0, to: shuffled.count, by: 40).enumerated() {
                let part = shuffled[first..<min(first + 40, shuffled.count)]
                // Each part is repeated with the next one, and a day passes after every third.
                let again = shuffled[max(0, first - 40)..<first].reversed()
                let reply = try await live.api.post("/v1/events", key: keys.ingest, "[\((part + again).joined(separator: ","))]")
                #expect(try Taken(reply) == Taken(accepted: part.count, duplicates: again.count))
                if number % 3 == 2 { clock.advance(by: .days(1)) }
            }
            #expect(try live.dayFiles.count == 4)
        }
        #expect(inOrder.count == Self.questions.count)
        for (number, question) in Self.questions.enumerated() { #expect(inOrder[number] == outOfOrder[number], "\(question)") }
    }

    /// The responses of a filled daemon, all at the same time.
    private static func answers(_ fill: @Sendable (LiveDaemon, ManualClock, AppKeys) async throws -> Void) async throws -> [String] {
        let clock = ManualClock(start + .days(13))
        return try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            try await fill(live, clock, keys)
            clock.advance(by: now - clock.now)
            var answers: [String] = []
            for question in questions {
                let isFixed = question.hasPrefix("realtime")
                let range = isFixed ? "" : (question.contains("?") ? "&" : "?") + "from=-17d&tz=Asia/Kathmandu"
                let reply = try await live.api.get("/v1/query/\(question)\(range)", key: keys.read)
                #expect(reply.status == 200, "\(question): \(reply.text)")
                answers.append(reply.text)
            }
            return answers
        }
    }
}
