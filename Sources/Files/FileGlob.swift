// SPDX-License-Identifier: Apache-2.0

/// A pattern of names, as clients of Google's storage write it in `matchGlob`.
///
///     *        characters of one folder             a/*.png      a/1.png, but not a/x/1.png
///     **       any characters                       a/**.png     a/1.png, a/x/1.png
///     ?        one character of one folder          a/?.png      a/1.png
///     [a-c]    one of these; `[!a-c]` another       a/[0-9].png  a/1.png
///     {a,b}    one of these patterns                a.{png,jpg}  a.png, a.jpg
///     \*       the character itself
///
/// All places that a name may have reached in the pattern are followed at once, so the work is at most the length of the name times that of
/// the pattern.
package struct FileGlob: Hashable, Sendable {
    package static let maximumBytes = 256
    private static let maximumDepth = 8

    private enum Step: Hashable, Sendable {
        case scalar(Unicode.Scalar)
        case any
        case anyInFolder
        case oneOf([ClosedRange<UInt32>], isNegated: Bool)
        /// Goes on at two places.
        case fork(Int, Int)
        case jump(Int)
        case end

        func takes(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .scalar(let wanted): scalar == wanted
            case .any: true
            case .anyInFolder: scalar != "/"
            case .oneOf(let ranges, let isNegated): scalar != "/" && ranges.contains { $0.contains(scalar.value) } != isNegated
            case .fork, .jump, .end: false
            }
        }
    }

    private var steps: [Step] = []

    /// Returns nil for a pattern that is empty, too long or too deep, or whose brackets do not match.
    package init?(_ text: String) {
        guard (1...FileGlob.maximumBytes).contains(text.utf8.count) else { return nil }
        var rest = text.unicodeScalars[...]
        guard read(&rest, depth: 0), rest.isEmpty else { return nil }
        steps.append(.end)
    }

    /// The work for a character of a name.
    package var width: Int {
        steps.reduce(0) { sum, step in
            if case .oneOf(let ranges, _) = step { sum + 1 + ranges.count } else { sum + 1 }
        }
    }

    // MARK: Reading

    /// Reads up to the end, or up to the end of an alternative.
    private mutating func read(_ rest: inout Substring.UnicodeScalarView, depth: Int) -> Bool {
        while let scalar = rest.first {
            if depth > 0, scalar == "," || scalar == "}" { return true }
            rest.removeFirst()
            switch scalar {
            case "*":
                let crosses = rest.first == "*"
                if crosses { rest.removeFirst() }
                repeatAny(crosses ? .any : .anyInFolder)
            case "?": steps.append(.anyInFolder)
            case "[": guard readSet(&rest) else { return false }
            case "{": guard depth < FileGlob.maximumDepth, readAlternatives(&rest, depth: depth + 1) else { return false }
            case "\\":
                guard let literal = rest.popFirst() else { return false }
                steps.append(.scalar(literal))
            default: steps.append(.scalar(scalar))
            }
        }
        return depth == 0
    }

    private mutating func repeatAny(_ step: Step) {
        let start = steps.count
        steps += [.fork(start + 1, start + 3), step, .jump(start)]
    }

    private mutating func readSet(_ rest: inout Substring.UnicodeScalarView) -> Bool {
        let isNegated = rest.first == "!" || rest.first == "^"
        if isNegated { rest.removeFirst() }
        var ranges: [ClosedRange<UInt32>] = []
        while let first = rest.popFirst() {
            if first == "]", !ranges.isEmpty {
                steps.append(.oneOf(ranges, isNegated: isNegated))
                return true
            }
            var last = first
            if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
                rest.removeFirst(2)
                last = end
            }
            guard first.value <= last.value else { return false }
            ranges.append(first.value...last.value)
        }
        return false
    }

    private mutating func readAlternatives(_ rest: inout Substring.UnicodeScalarView, depth: Int) -> Bool {
        var ends: [Int] = []
        while true {
            let fork = steps.count
            steps.append(.fork(fork + 1, fork + 1))
            guard read(&rest, depth: depth), let separator = rest.popFirst() else { return false }
            ends.append(steps.count)
            steps.append(.jump(0))
            if separator == "," {
                steps[fork] = .fork(fork + 1, steps.count)
                continue
            }
            for end in ends { steps[end] = .jump(steps.count) }
            return true
        }
    }

    // MARK: Matching

    package func matches(_ name: String) -> Bool {
        var places = places(from: [0])
        for scalar in name.unicodeScalars {
            let passed = places.filter { steps[$0].takes(scalar) }
            if passed.isEmpty { return false }
            places = self.places(from: passed.map { $0 + 1 })
        }
        return places.contains { steps[$0] == .end }
    }

    /// Returns the steps that take a character, or end, each once.
    private func places(from start: [Int]) -> [Int] {
        var isKnown = Array(repeating: false, count: steps.count)
        var (open, out) = (start, [Int]())
        while let place = open.popLast() {
            if isKnown[place] { continue }
            isKnown[place] = true
            switch steps[place] {
            case .fork(let one, let other): open += [one, other]
            case .jump(let target): open.append(target)
            case .scalar, .any, .anyInFolder, .oneOf, .end: out.append(place)
            }
        }
        return out
    }
}
