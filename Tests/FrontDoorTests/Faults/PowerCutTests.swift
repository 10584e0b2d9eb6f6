// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct PowerCutTests {
    /// `scripts/faults` sets these; otherwise the run is short.
    private static let environment = ProcessInfo.processInfo.environment
    private static let cuts = environment["SIGNALBOX_FAULT_CUTS"].flatMap(UInt64.init) ?? 40
    private static let seed = environment["SIGNALBOX_FAULT_SEED"].flatMap(UInt64.init) ?? .random(in: 0...1 << 60)

    @Test func `after a power cut with lost or torn unsynced writes all acknowledged data is stored`() async throws {
        // Each recording is cut some hundred times, so that no single recording decides.
        for first in stride(from: 0, to: Self.cuts, by: 250) {
            var scenario = try await PowerCutScenario.record(steps: 3, seed: Self.seed &+ first)
            #expect(scenario.moments > 100)
            let seeds = Self.seed &+ first..<Self.seed &+ min(first + 250, Self.cuts)
            let problems = try await scenario.cut(seeds) { print($0) }
            #expect(problems == [], "SIGNALBOX_FAULT_SEED=\(Self.seed)")
            // Other processes may slow down some openings.
            #expect(scenario.openings.sorted()[scenario.openings.count / 2] < .seconds(1))
        }
    }
}
