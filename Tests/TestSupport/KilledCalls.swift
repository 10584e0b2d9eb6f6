// SPDX-License-Identifier: Apache-2.0

/// The calls before which tests kill a program, or which they let fail.
package enum KilledCalls {
    /// Returns every call, or about so many at equal distances, others in each run. The last ones may not occur again, as a program also works
    /// after its answer.
    package static func some(of calls: Int, about count: Int = 6, isWhole: Bool) -> StrideThrough<Int> {
        let step = isWhole ? 1 : max(1, (calls + count - 1) / count)
        return stride(from: Int.random(in: 1...step), through: calls, by: step)
    }
}
