// SPDX-License-Identifier: Apache-2.0

/// The calls before which tests kill a program, or which they let fail.
package enum KilledCalls {
    /// Returns every call, or about so many at equal distances, others with each `FaultSeed`. The last ones may not occur again, as a program
    /// also works after its answer.
    package static func some(of calls: Int, about count: Int = 4, isWhole: Bool) -> StrideThrough<Int> {
        let step = isWhole ? 1 : max(1, (calls + count - 1) / count)
        return stride(from: FaultSeed.first(ofEvery: step), through: calls, by: step)
    }
}
