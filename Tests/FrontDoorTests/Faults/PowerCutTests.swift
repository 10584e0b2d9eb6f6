// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.namesFaultSeed) struct PowerCutTests {
    /// `scripts/faults` sets these; otherwise the run is short.
    private static let environment = ProcessInfo.processInfo.environment
    private static let cuts = environment["SIGNALBOX_FAULT_CUTS"].flatMap(UInt64.init) ?? 40

    @Test func `after a power cut with lost or torn unsynced writes all acknowledged data is stored`() async throws {
        // Each recording is cut some hundred times, so that no single recording decides.
        for first in stride(from: 0, to: Self.cuts, by: 250) {
            var scenario = try await PowerCutScenario.record(steps: 3, seed: FaultSeed.value &+ first)
            #expect(scenario.moments > 100)
            let seeds = FaultSeed.value &+ first..<FaultSeed.value &+ min(first + 250, Self.cuts)
            let problems = try await scenario.cut(seeds) { print($0) }
            #expect(problems == [])
            // Other processes may slow down some openings.
            #expect(scenario.openings.sorted()[scenario.openings.count / 2] < .seconds(1))
        }
    }
}
