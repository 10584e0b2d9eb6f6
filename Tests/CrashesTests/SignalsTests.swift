// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import Testing

struct SignalsTests {
    private func signals(age days: Int64 = 30, crashes: Int = 1, people: Int = 1, inSession: Int = 0, early: Int = 0, regressed: Bool = false)
        -> [IssueSignal]
    {
        let now = Timestamp(milliseconds: 100 * 86_400_000)
        let figures = Signals.Figures(
            firstSeen: now - .days(days), crashes: crashes, people: people, inKnownSession: inSession, early: early, regressed: regressed)
        return Signals.of(figures, at: now)
    }

    @Test func `an issue is fresh for a week`() {
        #expect(signals(age: 6) == [.fresh] && signals(age: 7) == [])
    }

    @Test(arguments: [(4, 4, false), (5, 3, true), (6, 3, false), (100, 51, true), (0, 0, false)])
    func `early needs a majority of known sessions`(inSession: Int, early: Int, told: Bool) {
        #expect(signals(inSession: inSession, early: early) == (told ? [.early] : []))
    }

    @Test(arguments: [(9, 1, false), (10, 3, true), (10, 4, false), (300, 100, true), (299, 100, false), (50, 0, false)])
    func `repetitive needs repeated crashes of the same users`(crashes: Int, people: Int, told: Bool) {
        #expect(signals(crashes: crashes, people: people) == (told ? [.repetitive] : []))
    }

    @Test func `several signals can apply`() {
        #expect(signals(age: 1, crashes: 30, people: 1, inSession: 10, early: 10, regressed: true) == [.fresh, .early, .repetitive, .regressed])
    }
}

struct VelocityTests {
    private func figures(people: Int = 25, hit: Int = 30, sessions: Int = 3_000, audience: Int = 500) -> Velocity.Figures {
        .init(crashes: hit, people: people, sessionsHit: hit, sessions: sessions, audience: audience)
    }

    @Test func `one percent of the sessions and 25 users are required`() {
        #expect(Velocity().isExceeded(by: figures()))
        #expect(!Velocity().isExceeded(by: figures(people: 24)))
        #expect(!Velocity().isExceeded(by: figures(sessions: 3_001)))
    }

    @Test func `crashes with unknown sessions count as sessions`() {
        #expect(figures(hit: 30, sessions: 0).percent == 100)
        #expect(!Velocity().isExceeded(by: figures(hit: 0, sessions: 0)))
    }

    @Test func `thresholds are configurable`() {
        var velocity = Velocity()
        velocity.percent = 0
        velocity.people = 1
        #expect(velocity.isExceeded(by: figures(people: 1, hit: 1, sessions: 1_000_000)))
        #expect(!velocity.isExceeded(by: figures(people: 1, hit: 1, sessions: 9, audience: 9)))
    }
}
