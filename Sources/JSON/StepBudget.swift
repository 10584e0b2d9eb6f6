// SPDX-License-Identifier: Apache-2.0

import CSimdJSON

/// A counted budget for the walks over a tape, so that no walk that is repeated too often can take a thread for long.
///
/// A walk charges the members or elements it passed. Once the budget is used up every further walk ends at once, and the decoder rejects the
/// request. The budget grows with the document, so a decoder whose work is linear never meets it.
///
/// The count belongs to the thread and begins anew with each document that has a budget: a decoder reads a document and walks it in one go, and
/// a count of its own would be one more reference to keep with every copy of a tape.
enum StepBudget {
    /// For documents of a few tokens.
    private static let base = 10_000

    /// The budget of a document that was just read.
    static func begin(stepsPerToken: Int, tokens: Int) -> Int {
        sbj_begin_steps()
        return base + stepsPerToken * tokens
    }
}

extension JSONTape {
    /// Charges a walk over so many members or elements. A walk that is refused must end: the decoder rejects the request afterwards.
    @inlinable public func charge(_ count: Int) -> Bool { stepLimit == 0 || take(count) }

    @usableFromInline func take(_ count: Int) -> Bool { sbj_take_steps(Int64(count)) <= stepLimit }

    /// The budget, where it is used up.
    package var exceededSteps: Int? { stepLimit > 0 && stepsTaken > stepLimit ? stepLimit : nil }

    /// How many steps walks took on this thread since the last document with a budget was read.
    package var stepsTaken: Int { Int(sbj_take_steps(0)) }
}
