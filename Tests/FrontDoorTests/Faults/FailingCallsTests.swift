// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Every call by which the daemon changes files is made to fail in its turn, whatever file it is about.
@Suite(.serialized) struct FailingCallsTests {
    /// `scripts/faults` asks for every call, or every tenth; without it one of the first few hundred stands for all.
    static let asked = ProcessInfo.processInfo.environment["SIGNALBOX_FAULT_STEP"].flatMap(Int.init)
    private static let some = 300

    @Test(arguments: [(ENOSPC, 1), (EIO, 1), (ENOSPC, Int.max), (EIO, Int.max)])
    func `whichever call fails, nothing is acknowledged that is not kept, and all goes on when the disk is well again`(
        error: Int32, failures: Int
    ) async throws {
        let step = Self.asked ?? Self.some
        var number = Int.random(in: 1...step)
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
    func `a start that fails ends with a sentence, and the next one finds all that was acknowledged`(error: Int32) async throws {
        let scenario = FailingStart(error)
        try await scenario.prepare()
        let step = Self.asked ?? 10
        for number in stride(from: Int.random(in: 1...step), through: .max, by: step) {
            let (problems, failed) = try await scenario.start(failingFrom: number)
            #expect(problems == [], "call \(number)")
            if failed == 0 { break }
        }
    }
}
