// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import Testing

struct AlertRulesTests {
    /// Whether there is a spike after each minute.
    private func stands(_ minutes: (accepted: Int, quarantined: Int)...) -> [Bool] {
        var spike = QuarantineSpike()
        return minutes.map { spike.note(accepted: $0.accepted, quarantined: $0.quarantined) }
    }

    @Test func `a quarantine spike starts at a fifth and ends at a tenth`() {
        #expect(stands((1_000, 100), (0, 200), (800, 0), (2_000, 0)) == [false, true, true, false])
    }

    @Test func `few quarantined events are not a spike`() {
        #expect(stands((0, 49), (0, 1)) == [false, true])
    }

    @Test func `the budget of new issues is twenty in ten minutes`() {
        var budget = NewIssueBudget()
        let start = Timestamp(milliseconds: 1_000_000)
        let first = (0..<23).map { budget.spend(at: start + .seconds(Int64($0))) }
        #expect(first == Array(repeating: true, count: 20) + [false, false, false])
        // At the last, the clock was set back.
        let later = [start + .seconds(599), start + .minutes(10), start].map { budget.spend(at: $0) }
        #expect(later == [false, true, true])
    }

    @Test func `alert texts have no mentions and no links behind other text`() {
        let cause = AlertCause(
            .crashes, "new", "<!channel> <https://evil.example|Sign in> @here [Sign in](https://evil.example)", data: [("title", "<a>")])
        #expect(cause.text.text == "‹!channel› ‹https://evil.example|Sign in› ＠here [Sign in］(https://evil.example)")
        #expect(cause.data.map(\.value.text) == ["‹a›"])
    }

    @Test func `counts older than ten minutes are ignored`() {
        let quiet = (accepted: 0, quarantined: 0)
        let all = stands((0, 49), quiet, quiet, quiet, quiet, quiet, quiet, quiet, quiet, quiet, (0, 49), (0, 1))
        #expect(all.dropLast().allSatisfy { !$0 } && all.last == true)
    }

    @Test(arguments: [
        (29, [100, 100, 100], true), (30, [100, 100, 100], false), (0, [100, 100], false), (0, [0, 0, 0, 99, 99, 99], false),
        (0, [0, 400, 0, 300, 200], true), (0, [], false), (500, [1_000, 1_000, 10, 2_000], false), (250, [1_000, 1_000, 10, 2_000], true),
    ]) func `a drop is compared with the same hour of previous days`(hour: Int, before: [Int], stands: Bool) {
        #expect(VolumeDrop.stands(hour: hour, before: before) == stands)
    }

    /// Returns the occurrences reported per minute; there were two before.
    private func told(_ counts: [UInt64], stood: Bool = false) -> [UInt64?] {
        var unrest = RecurringProblem(known: 2)
        return counts.enumerated().map { minute, count in
            unrest.note(count, stood: stood && minute == 0, at: Timestamp(milliseconds: 1_800_000_000_000 + Int64(minute) * 60_000))
        }
    }

    @Test func `a recurring problem stays active for ten minutes`() {
        #expect(told([2, 5, 5, 6]) == [nil, 3, 3, 4])
        #expect(told([3] + [UInt64](repeating: 3, count: 10) + [4]) == [UInt64?](repeating: 1, count: 10) + [nil, 1])
        #expect(told([3, 3, 3, 3, 3, 3, 3, 3, 3, 4] + [UInt64](repeating: 4, count: 10)).last == .some(nil))
    }

    @Test func `a problem active before a restart has ten minutes to recur`() {
        #expect(told([UInt64](repeating: 2, count: 11), stood: true) == [UInt64?](repeating: 0, count: 10) + [nil])
    }

    @Test func `setting the clock back extends a problem by ten minutes at most`() {
        var unrest = RecurringProblem(known: 0)
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        #expect(unrest.note(3, stood: false, at: now + .days(27_000)) == 3)
        #expect(unrest.note(3, stood: false, at: now) == 3)
        #expect(unrest.note(3, stood: false, at: now + .minutes(10)) == nil)
    }
}
