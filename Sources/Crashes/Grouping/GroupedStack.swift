// SPDX-License-Identifier: Apache-2.0

/// A stack prepared for grouping. Rules of all versions share these functions. A change to them would move stored issues, so a rule that
/// needs another result gets a function of its own.
protocol GroupedStack {
    associatedtype Frame: GroupedFrame

    /// The newest frame first.
    var frames: [Frame] { get }
    func text(_ frame: Frame) -> ArraySlice<UInt8>
}

protocol GroupedFrame {
    /// Whether the text is a function name.
    var isNamed: Bool { get }
}

extension GroupedStack {
    /// Returns the frame that stands for an unbounded mutual recursion: the first by name. Which of the functions overflows the stack is
    /// arbitrary.
    ///
    ///     b a b a b a … (10 × b)    →  a
    ///     b a b a                   →  all frames, because no function occurs ten times
    func recursionRepresentative(_ candidates: [Frame]) -> [Frame] {
        guard candidates.count >= recursionDepth, let top = candidates.first else { return candidates }
        let calls = candidates.indices.filter { text(candidates[$0]) == text(top) }
        guard calls.count >= recursionDepth else { return candidates }
        let least = candidates[..<calls[1]].min { text($0).lexicographicallyPrecedes(text($1)) }
        return least.map { [$0] } ?? candidates
    }

    /// Returns a hash of all named frames.
    func stackHash(_ start: StableHash) -> [UInt8] {
        var hash = start
        for frame in frames where frame.isNamed { hash.add(part: text(frame)) }
        return hash.bytes
    }
}

/// The number of occurrences from which a function counts as recursive.
private let recursionDepth = 10
