import Foundation
import TestSupport
import Testing

@testable import ingestd

/// A daemon that is killed in the middle of crashes, symbols and merges, again and again.
@Suite struct CrashKillTests {
    /// `scripts/faults` sets these; without them it is a short run of its own.
    private static let environment = ProcessInfo.processInfo.environment
    private static let rounds = environment["SIGNALBOX_FAULT_ROUNDS"].flatMap(Int.init) ?? 10
    private static let seed = environment["SIGNALBOX_FAULT_SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64.max)

    @Test func `whatever is killed when, each crash that was acknowledged is stored once, and every figure is that of the reports`() async throws {
        var scenario = CrashKillScenario(rounds: Self.rounds, seed: Self.seed)
        let problems = try await scenario.run { print($0) }
        #expect(problems == [], "SIGNALBOX_FAULT_SEED=\(Self.seed)")
        // Half of them, as others may want the machine meanwhile.
        #expect(scenario.starts.sorted()[scenario.starts.count / 2] < .seconds(1), "\(scenario.starts)")
    }
}
