// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

struct ClockTrustTests {
    /// The minutes by which the wall clock and the monotonic clock have advanced, and whether the wall clock is trusted.
    private struct Move {
        var wall: Int64
        var steady: Int64
        var isBelieved: Bool

        init(_ wall: Int64, _ steady: Int64, _ isBelieved: Bool) {
            self.wall = wall
            self.steady = steady
            self.isBelieved = isBelieved
        }
    }

    private static let start = Day(year: 2026, month: 3, day: 1).start
    private static let day: Int64 = 1_440

    private static func expect(_ moves: [Move], from start: Timestamp = start) {
        var trust = ClockTrust(start, steady: .minutes(7))
        for (number, move) in moves.enumerated() {
            let answer = trust.believes(start + .minutes(move.wall), steady: .minutes(7 + move.steady))
            #expect(answer == move.isBelieved, "\(number)")
        }
    }

    @Test func `a clock that advances with monotonic time is trusted at any read interval`() {
        Self.expect([Move(60, 60, true), Move(400 * Self.day, 400 * Self.day, true), Move(401 * Self.day, 400 * Self.day, true)])
    }

    @Test func `a leap ahead is trusted after an hour`() {
        let leap = 3_650 * Self.day
        Self.expect([Move(leap, 60, false), Move(leap + 59, 119, false), Move(leap + 60, 120, true), Move(leap + 120, 180, true)])
    }

    @Test func `a reverted clock leap changes nothing, and the next one waits again`() {
        let leap = 90 * Self.day
        Self.expect([Move(leap, 60, false), Move(120, 120, true), Move(leap, 180, false), Move(240, 240, true)])
    }

    @Test func `a step of up to two days and a step back are trusted at once`() {
        Self.expect([Move(Self.day, 0, true), Move(3 * Self.day, 0, true), Move(120, 60, true), Move(0, 120, true)])
    }

    @Test func `an unset clock is trusted when it is set`() {
        Self.expect([Move(1, 1, true), Move(20_500 * Self.day, 2, true)], from: Timestamp(milliseconds: 0))
    }
}
