import Messaging
import Testing

struct AlertRulesTests {
    /// Whether a spike stands after each minute.
    private func stands(_ minutes: (accepted: Int, refused: Int)...) -> [Bool] {
        var spike = QuarantineSpike()
        return minutes.map { spike.note(accepted: $0.accepted, refused: $0.refused) }
    }

    @Test func `a spike of refusals begins at a fifth of the last ten minutes, and ends at a tenth`() {
        #expect(stands((1_000, 100), (0, 200), (800, 0), (2_000, 0)) == [false, true, true, false])
    }

    @Test func `a few refusals are no spike, whatever their share`() {
        #expect(stands((0, 49), (0, 1)) == [false, true])
    }

    @Test func `what is longer ago than ten minutes does not count`() {
        let quiet = (accepted: 0, refused: 0)
        let all = stands((0, 49), quiet, quiet, quiet, quiet, quiet, quiet, quiet, quiet, quiet, (0, 49), (0, 1))
        #expect(all.dropLast().allSatisfy { !$0 } && all.last == true)
    }

    @Test(arguments: [
        (29, [100, 100, 100], true), (30, [100, 100, 100], false), (0, [100, 100], false), (0, [0, 0, 0, 99, 99, 99], false),
        (0, [0, 400, 0, 300, 200], true), (0, [], false), (500, [1_000, 1_000, 10, 2_000], false), (250, [1_000, 1_000, 10, 2_000], true),
    ]) func `a drop is told against the same hour of the days before`(hour: Int, before: [Int], stands: Bool) {
        #expect(VolumeDrop.stands(hour: hour, before: before) == stands)
    }
}
