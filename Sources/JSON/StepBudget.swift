// SPDX-License-Identifier: Apache-2.0

import CSimdJSON

/// A step budget for the walks over a tape. It prevents a document from occupying a thread by quadratic work.
///
/// Each walk charges the members or elements it visits. Once the budget is exhausted, further walks end immediately and the decoder rejects
/// the request. The budget is proportional to the number of tokens, so linear decoders never exhaust it.
///
/// The count belongs to the thread and restarts with each document that has a budget. A decoder parses and walks a document without
/// interruption, and a count in the tape would be another reference to retain.
enum StepBudget {
    /// The base for documents of a few tokens.
    private static let base = 10_000

    /// Starts the budget of a parsed document.
    static func begin(stepsPerToken: Int, tokens: Int) -> Int {
        sbj_begin_steps()
        return base + stepsPerToken * tokens
    }
}

extension JSONTape {
    /// Charges a walk for its members or elements. If it returns false, the walk must end; the decoder then rejects the request.
    @inlinable public func charge(_ count: Int) -> Bool { stepLimit == 0 || take(count) }

    @usableFromInline func take(_ count: Int) -> Bool { sbj_take_steps(Int64(count)) <= stepLimit }

    /// The budget if it is exhausted.
    package var exceededSteps: Int? { stepLimit > 0 && stepsTaken > stepLimit ? stepLimit : nil }

    /// The steps on this thread since the last document with a budget was parsed.
    package var stepsTaken: Int { Int(sbj_take_steps(0)) }
}
