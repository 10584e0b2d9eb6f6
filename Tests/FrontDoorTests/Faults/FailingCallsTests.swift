// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Lets each of the daemon's calls that change files fail in turn.
@Suite(.serialized, .namesFaultSeed) struct FailingCallsTests {
    /// `scripts/faults` runs every call or every tenth; otherwise one of the first few hundred is tested.
    static let asked = ProcessInfo.processInfo.environment["SIGNALBOX_FAULT_STEP"].flatMap(Int.init)
    private static let some = 300

    @Test(arguments: [(ENOSPC, 1), (EIO, 1), (ENOSPC, Int.max), (EIO, Int.max)])
    func `after any failed call every acknowledged request is stored, and the daemon recovers`(
        error: Int32, failures: Int
    ) async throws {
        let step = Self.asked ?? Self.some
        var number = FaultSeed.first(ofEvery: step, stream: Int(error) + (failures == 1 ? 0 : 1_000))
        var ends: [String: Int] = [:]
        while true {
            let outcome = try await FailingCallsScenario.run(error, from: number, failures: failures)
            #expect(outcome.problems == [], "call \(number), a \(outcome.failedCall.map { "\($0)" } ?? "")")
            guard let call = outcome.failedCall else { break }
            ends["\(call) \(outcome.end)", default: 0] += 1
            if Self.asked == nil { break }
            number += step
        }
        print("error \(error), \(failures == 1 ? "once" : "from then on"): \(ends.sorted { $0.key < $1.key })")
    }

    @Test(arguments: [ENOSPC, EIO])
    func `a failed start reports its error, and the next one has everything acknowledged`(error: Int32) async throws {
        let scenario = FailingStart(error)
        try await scenario.prepare()
        let step = Self.asked ?? 10
        for number in stride(from: FaultSeed.first(ofEvery: step, stream: Int(error)), through: .max, by: step) {
            let (problems, failed) = try await scenario.start(failingFrom: number)
            #expect(problems == [], "call \(number)")
            if failed == 0 { break }
        }
    }
}
