// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Connections by what they are doing.
package struct PhaseCounts: Sendable, Equatable {
    private var counts = [Int](repeating: 0, count: ConnectionState.Phase.allCases.count)

    package internal(set) subscript(phase: ConnectionState.Phase) -> Int {
        get { counts[phase.rawValue] }
        set { counts[phase.rawValue] = newValue }
    }

    static func + (a: PhaseCounts, b: PhaseCounts) -> PhaseCounts {
        var sum = a
        for phase in ConnectionState.Phase.allCases { sum[phase] += b[phase] }
        return sum
    }
}

package struct HTTPServerStatistics: Sendable {
    /// Open connections now.
    package var connections: Int
    /// As of the last look at the deadlines, a quarter of a second ago at most.
    package var phases: PhaseCounts
    package var accepted: Int
    /// Closed at once because there were too many.
    package var refused: Int
    package var answered: Int
    /// Answers to what the server itself found wrong.
    package var faults: Int
    /// Bodies that wait until the key in them is looked for, and large ones that wait to be decoded.
    package var waitingScans = 0
    package var waitingDecodes = 0
}

final class Counters: Sendable {
    let accepted = Atomic<Int>(0)
    let refused = Atomic<Int>(0)
    let answered = Atomic<Int>(0)
    let faults = Atomic<Int>(0)
    private let phases = Mutex<[ObjectIdentifier: PhaseCounts]>([:])

    func report(_ counts: PhaseCounts, by loop: ObjectIdentifier) {
        phases.withLock { $0[loop] = counts }
    }

    func statistics(connections: Int) -> HTTPServerStatistics {
        HTTPServerStatistics(
            connections: connections, phases: phases.withLock { $0.values.reduce(PhaseCounts(), +) }, accepted: accepted.load(ordering: .relaxed),
            refused: refused.load(ordering: .relaxed), answered: answered.load(ordering: .relaxed), faults: faults.load(ordering: .relaxed))
    }
}
