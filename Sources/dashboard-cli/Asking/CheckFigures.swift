// SPDX-License-Identifier: Apache-2.0

import Events
import Foundation
import Platform
import Synchronization

/// What `check` judges, each asked for once.
actor CheckFigures {
    private let connection: Connection
    private let range: ShownRange
    private var bodies: [Question: [UInt8]] = [:]

    init(_ connection: Connection, _ range: ShownRange) {
        (self.connection, self.range) = (connection, range)
    }

    func system() async throws -> SystemAnswer {
        try await answer(Dashboard.system)
    }

    func crashFree() async throws -> CrashFreeAnswer.Figures {
        let answer: CrashFreeAnswer = try await answer(Ask("crash_free", "/v1/query/crash-free", look + [("limit", "1")]))
        return answer.total
    }

    func events() async throws -> Int {
        let answer: SeriesAnswer = try await answer(Ask("events", "/v1/query/series", look))
        return Int(answer.series.first?.total.number ?? 0)
    }

    /// Those that were given up in the time that is looked at.
    func deadDeliveries() async throws -> Int {
        let start = WallClock.system.now() - .seconds(Int64(range.minutes) * 60)
        var count = 0
        var after: String?
        repeat {
            let parameters = [("state", "dead"), ("limit", "1000")] + (after.map { [("after", $0)] } ?? [])
            let page: PageAnswer<DeliveryAnswer> = try await page(Ask("dead", "/v1/deliveries", parameters))
            count += page.items.count { $0.changedAt.time >= start }
            after = page.next
        } while after != nil
        return count
    }

    private var look: [(String, String)] { [("from", range.from), ("interval", range.interval)] }

    private func answer<Answer>(_ ask: Ask<Answer>) async throws -> Answer {
        if let body = bodies[ask.question] { return try decoded(body, ask) }
        let body = try await connection.ask(ask.question)
        bodies[ask.question] = body
        return try decoded(body, ask)
    }

    /// One of many, of which none is kept.
    private func page<Answer>(_ ask: Ask<Answer>) async throws -> Answer {
        try decoded(try await connection.ask(ask.question), ask)
    }

    private func decoded<Answer>(_ body: [UInt8], _ ask: Ask<Answer>) throws -> Answer {
        guard let answer = try? ask.standing.decode(body).value as? Answer else {
            throw Trouble(kind: .refused, what: "The answer is not understood", hint: "Are daemon and terminal of the same version?")
        }
        return answer
    }
}

extension SystemAnswer {
    /// Of all events since the daemon started; nil where there were none.
    var refusedShare: Double? {
        let all = events.accepted + events.quarantined
        return all == 0 ? nil : Double(events.quarantined) / Double(all)
    }

    var commitP99: Double? { commits.count == 0 ? nil : commits.p99Milliseconds }
}
