// SPDX-License-Identifier: Apache-2.0

import FuzzGrowers
import FuzzTargets

/// Doubles `n` of a grower until its inputs are too large, and compares the work of each input with that of the previous one.
///
/// Work that more than triples for twice the input is superlinear: linear work doubles, quadratic work quadruples. One such step alone
/// occurs where a limit makes the decoder take another path; quadratic work shows in the neighbouring steps too.
struct Examination {
    struct Limits {
        /// The maximum size of an input.
        var bytes: Int
        /// The work from which a grower's inputs stop.
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
            // A parser allocates on its first document and reuses that memory; the second run of each input excludes the allocation.
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

    /// Returns the ratio of this step's work to the previous one's; zero if there is none.
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
