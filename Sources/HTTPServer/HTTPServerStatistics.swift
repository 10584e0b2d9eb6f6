// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Connections by phase.
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
    /// Open connections.
    package var connections: Int
    /// Connections by phase as of the last deadline check, at most a quarter of a second ago.
    var phases: PhaseCounts
    package var accepted: Int
    /// Connections closed at once because of a limit.
    package var rejected: Int
    package var responses: Int
    /// Responses to faults found by the server.
    package var faults: Int
    /// Bodies waiting for the key scan, and large bodies waiting to be decoded.
    package var waitingScans = 0
    package var waitingDecodes = 0
    /// The bytes of large responses that are not sent completely.
    package var unsentResponseBytes = 0
    /// Requests that wait for memory for large responses.
    package var waitingResponses = 0
    /// Uploads and sent files that use a transfer loop now, and the bytes that sinks received and files sent.
    package var transfers = 0
    package var receivedBytes = 0
    package var sentFileBytes = 0
}

final class Counters: Sendable {
    let accepted = Atomic<Int>(0)
    let rejected = Atomic<Int>(0)
    let responses = Atomic<Int>(0)
    let faults = Atomic<Int>(0)
    let receivedBytes = Atomic<Int>(0)
    let sentFileBytes = Atomic<Int>(0)
    private let phases = Mutex<[ObjectIdentifier: PhaseCounts]>([:])

    func report(_ counts: PhaseCounts, by loop: ObjectIdentifier) {
        phases.withLock { $0[loop] = counts }
    }

    func statistics(connections: Int) -> HTTPServerStatistics {
        HTTPServerStatistics(
            connections: connections, phases: phases.withLock { $0.values.reduce(PhaseCounts(), +) }, accepted: accepted.load(ordering: .relaxed),
            rejected: rejected.load(ordering: .relaxed), responses: responses.load(ordering: .relaxed), faults: faults.load(ordering: .relaxed),
            receivedBytes: receivedBytes.load(ordering: .relaxed), sentFileBytes: sentFileBytes.load(ordering: .relaxed))
    }
}
