// SPDX-License-Identifier: Apache-2.0

import Patterns

/// Methods with regular expressions. Their work is charged by the bytes that RE2 may read, times the size of the pattern.
extension RuleEvaluation {
    /// The instructions of a pattern that take as long as one.
    private static let instructions = 4

    mutating func matches(_ text: String, _ pattern: Pattern) throws(Failure) -> Bool {
        try chargeReading(text.utf8.count, pattern)
        return pattern.matches(text)
    }

    /// Splits a text at the matches. Empty parts at the end are left out, but for the only one.
    mutating func split(_ text: String, at pattern: Pattern) throws(Failure) -> [String] {
        try chargeReading(text.utf8.count, pattern)
        var search = pattern.search(text)
        var (parts, end) = ([Range<Int>](), 0)
        while let match = try next(&search, pattern)?[0] {
            parts.append(end..<match.lowerBound)
            end = match.upperBound
        }
        parts.append(end..<search.bytes.count)
        while parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
        try reserve(parts.count + search.bytes.count / 16)
        return parts.map { String(decoding: search.bytes[$0], as: UTF8.self) }
    }

    /// Replaces every match. In the replacement `$1` is the first group, `$0` the match, and a backslash takes the next character as it is.
    ///
    /// Returns nil if the replacement names a group that the pattern does not have.
    mutating func replace(_ pattern: Pattern, in text: String, with replacement: String) throws(Failure) -> String? {
        try chargeReading(text.utf8.count, pattern)
        let replacement = RuleReplacement(replacement)
        var search = pattern.search(text, groups: replacement.groups)
        var (result, end) = ([UInt8](), 0)
        while let groups = try next(&search, pattern) {
            guard let match = groups[0], replacement.groups <= pattern.groups else { return nil }
            try charge(replacement.parts.count)
            try reserve((result.count + match.lowerBound - end + replacement.bytes(groups)) / 16)
            result += search.bytes[end..<match.lowerBound]
            replacement.append(groups, search.bytes, to: &result)
            end = match.upperBound
        }
        try reserve((result.count + search.bytes.count - end) / 16)
        return String(decoding: result + search.bytes[end...], as: UTF8.self)
    }

    /// Returns the next match, after a charge for what its search may read twice.
    private mutating func next(_ search: inout PatternSearch, _ pattern: Pattern) throws(Failure) -> [Range<Int>?]? {
        try charge(1)
        try chargeReading(search.bytesReadOn, pattern)
        return search.next()
    }

    private mutating func chargeReading(_ bytes: Int, _ pattern: Pattern) throws(Failure) {
        try charge(bytes * (1 + pattern.size / RuleEvaluation.instructions) / 16)
    }
}

/// The replacement of a match: `$2-\$` is the second group and the text `-$`.
struct RuleReplacement {
    enum Part: Equatable {
        case bytes([UInt8])
        case group(Int)
    }

    private(set) var parts: [Part] = []
    /// The highest number of a group.
    private(set) var groups = 0

    init(_ text: String) {
        var (plain, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let next = rest.popFirst() {
                plain.append(next)
            } else if byte == UInt8(ascii: "$"), let digit = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
                rest.removeFirst()
                add(&plain)
                parts.append(.group(Int(digit - UInt8(ascii: "0"))))
                groups = max(groups, Int(digit - UInt8(ascii: "0")))
            } else {
                plain.append(byte)
            }
        }
        add(&plain)
    }

    private mutating func add(_ plain: inout [UInt8]) {
        if !plain.isEmpty { parts.append(.bytes(plain)) }
        plain = []
    }

    /// The bytes that replace a match.
    func bytes(_ matched: [Range<Int>?]) -> Int {
        parts.reduce(0) { sum, part in
            switch part {
            case .bytes(let bytes): sum + bytes.count
            case .group(let number): sum + (matched[number]?.count ?? 0)
            }
        }
    }

    func append(_ matched: [Range<Int>?], _ text: [UInt8], to result: inout [UInt8]) {
        for part in parts {
            switch part {
            case .bytes(let bytes): result += bytes
            case .group(let number): if let range = matched[number] { result += text[range] }
            }
        }
    }
}
