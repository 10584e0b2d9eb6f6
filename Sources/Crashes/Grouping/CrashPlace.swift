/// The frames of a stack by which it is grouped, and why those.
struct CrashPlace {
    /// How far to look for a name behind frames that have only a file.
    private static let deepest = 4

    private let stack: StackView
    let frames: [StackView.Frame]

    init(_ stack: StackView) {
        self.stack = stack
        let telling = stack.frames.filter { !$0.isNoise }
        let own = telling.filter { $0.origin == .app }
        frames = CrashPlace.top(own.isEmpty ? telling.filter(\.isNamed) : own)
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

    /// Frames up to the first that is named; a place in a binary is as good as a name.
    private static func top(_ frames: [StackView.Frame]) -> [StackView.Frame] {
        let end = frames.prefix(deepest).firstIndex { $0.isNamed } ?? 0
        return Array(frames.prefix(end + 1))
    }
}
