// SPDX-License-Identifier: Apache-2.0

/// The frames of a stack by which it is grouped, and why those.
struct CrashPlace {
    /// How far to look for a name beneath frames that have only a file.
    private static let deepest = 4
    /// As often as this only a function that calls itself stands in a stack.
    private static let recursion = 10

    private let stack: StackView
    let frames: [StackView.Frame]

    init(_ stack: StackView) {
        self.stack = stack
        let telling = stack.frames.filter { !$0.isNoise }
        let own = telling.filter { $0.origin != .system }
        frames = CrashPlace.top(CrashPlace.withoutChance(own.isEmpty ? telling.filter(\.isNamed) : own, in: stack), of: stack)
    }

    func add(to hash: inout StableHash) {
        for frame in frames { hash.add(part: stack.text(frame)) }
        hash.add(0)
    }

    var culprit: String? { frames.last.map { String(decoding: stack.text($0), as: UTF8.self) } }

    var reason: String {
        guard let culprit, let frame = frames.last else { return "type alone" }
        return frame.origin == .app ? "top frame in the app: \(culprit)" : "top frame: \(culprit)"
    }

    /// Where functions call each other without end, chance decides which of them comes last: the first by name stands for all.
    private static func withoutChance(_ frames: [StackView.Frame], in stack: StackView) -> [StackView.Frame] {
        guard frames.count >= recursion, let top = frames.first else { return frames }
        let calls = frames.indices.filter { stack.text(frames[$0]) == stack.text(top) }
        guard calls.count >= recursion else { return frames }
        let least = frames[..<calls[1]].min { stack.text($0).lexicographicallyPrecedes(stack.text($1)) }
        return least.map { [$0] } ?? frames
    }

    /// Frames up to the first that is precise. A function without a name is a part of the one around it, where that stands in the same file.
    private static func top(_ frames: [StackView.Frame], of stack: StackView) -> [StackView.Frame] {
        guard let end = frames.prefix(deepest).firstIndex(where: \.isPrecise) else { return Array(frames.prefix(1)) }
        let name = stack.text(frames[end])
        return frames[..<end].filter { !name.starts(with: stack.text($0)) } + [frames[end]]
    }
}
