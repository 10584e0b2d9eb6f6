// SPDX-License-Identifier: Apache-2.0

import FuzzGrowers
import FuzzTargets

/// Doubles `n` of a grower until its inputs are too large, and compares the work of each with that of the one before.
///
/// Work that grows by more than three times for twice the input is superlinear: twice would be linear, four times is quadratic. One such step alone
/// is where a limit makes the decoder go another way: quadratic work shows in the steps before and after it too.
struct Examination {
    struct Limits {
        /// Inputs are no larger than this.
        var bytes: Int
        /// An input that costs more is the last of its grower.
        var edges: UInt64
    }

    struct Step {
        var n: Int
        var size: Int
        var work: Work
    }

    private static let most = 3.0
    private static let mostBefore = 2.4
    private static let mostAfter = 3.0

    let target: FuzzTarget
    let limits: Limits
    private(set) var worst: Finding?
    private(set) var steps: [Step] = []

    init(_ target: FuzzTarget, _ limits: Limits) {
        (self.target, self.limits) = (target, limits)
    }

    mutating func run(_ grower: Grower) {
        var n = 4
        repeat {
            let input = grower.input(n)
            guard input.count <= limits.bytes else { break }
            steps.append(Step(n: n, size: input.count, work: Work.measure(target, input)))
            n *= 2
        } while steps[steps.count - 1].work.edges <= limits.edges
        for kind in Work.Kind.allCases { compare(grower, kind) }
    }

    private mutating func compare(_ grower: Grower, _ kind: Work.Kind) {
        for place in steps.indices.dropFirst() where isSuperlinear(at: place, kind) {
            // A parser allocates on its first document and reuses that memory; a second run of each input leaves the allocation out.
            steps[place - 1].work = again(grower, steps[place - 1].n)
            steps[place].work = again(grower, steps[place].n)
            guard isSuperlinear(at: place, kind), ratio(at: place, kind) > worst?.ratio ?? 0 else { continue }
            let (smaller, larger) = (steps[place - 1], steps[place])
            worst = Finding(
                grower: grower, kind: kind, n: smaller.n, smaller: (smaller.size, smaller.work[kind]), larger: (larger.size, larger.work[kind]),
                places: Work.hottest())
        }
    }

    private func isSuperlinear(at place: Int, _ kind: Work.Kind) -> Bool {
        steps[place].work[kind] >= kind.least && ratio(at: place, kind) > Examination.most
            && (ratio(at: place - 1, kind) > Examination.mostBefore || ratio(at: place + 1, kind) > Examination.mostAfter)
    }

    /// How often the work of the step before goes into that of this one; zero where there is none.
    private func ratio(at place: Int, _ kind: Work.Kind) -> Double {
        guard (1..<steps.count).contains(place) else { return 0 }
        return Double(steps[place].work[kind]) / Double(max(1, steps[place - 1].work[kind]))
    }

    private func again(_ grower: Grower, _ n: Int) -> Work {
        let input = grower.input(n)
        target.run(input)
        return Work.measure(target, input)
    }
}
