// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.namesFaultSeed) struct KillTests {
    /// `scripts/faults` sets these; otherwise the run is short.
    private static let environment = ProcessInfo.processInfo.environment
    private static let rounds = environment["SIGNALBOX_FAULT_ROUNDS"].flatMap(Int.init) ?? 12

    @Test func `after kills at any time acknowledged data is stored once and all counts match the rows`() async throws {
        var scenario = KillScenario(rounds: Self.rounds, seed: FaultSeed.value)
        let problems = try await scenario.run { print($0) }
        #expect(problems == [])
        let starts = scenario.starts.sorted()
        print("starts: half within \(starts[starts.count / 2]), the slowest \(starts.last ?? .zero)")
        // The median is checked, because other processes may slow down some starts. A start takes a tenth of this on an idle machine.
        #expect(starts[starts.count / 2] < .seconds(3))
    }
}
