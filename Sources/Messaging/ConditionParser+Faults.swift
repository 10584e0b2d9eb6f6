// SPDX-License-Identifier: Apache-2.0

import Platform

/// The errors of a condition, with their positions.
extension ConditionParser {
    func fault(_ code: String, _ place: Int, _ problem: String, hint: String) -> Refusal {
        .field("condition", code, "\(problem), at character \(place + 1)", hint: hint)
    }

    func expected(_ what: String, hint: String) -> Refusal {
        fault("unexpected", at, at == bytes.count ? "ends where \(what) is expected" : "expects \(what)", hint: hint)
    }

    /// Returns the error of a term followed by neither an operator nor a closing parenthesis.
    func strayEnd() -> Refusal {
        guard peek == UInt8(ascii: ")") else { return expected("&& or ||", hint: "Join topics with && or ||.") }
        return fault("unopened_parenthesis", at, "closes a parenthesis that was never opened", hint: "Remove it, or add the missing ( before it.")
    }

    /// Returns the error of mixed operators. FCM evaluates them from left to right and most languages `&&` first, so parentheses are
    /// required.
    func mixed(_ start: Int, _ last: Int, _ op: Operator, _ next: Operator) -> Refusal {
        let before = text(start..<at)
        let hint =
            bytes.count > 300
            ? "Write ('a' in topics || 'b' in topics) && 'c' in topics, or 'a' in topics || ('b' in topics && 'c' in topics)."
            : "Write (\(before)) \(next.rawValue) …, or \(text(start..<last)) (\(text(last..<at)) \(next.rawValue) …)."
        return fault("mixed_operators", at, "has \(op.rawValue) and \(next.rawValue) without parentheses", hint: hint)
    }

    private func text(_ range: Range<Int>) -> String {
        let part = bytes[range]
        let end = part.lastIndex { $0 > 0x20 } ?? range.lowerBound
        return String(decoding: part[...end], as: UTF8.self)
    }
}
