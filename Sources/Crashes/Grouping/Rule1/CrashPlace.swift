// SPDX-License-Identifier: Apache-2.0

/// The frames of a stack that identify its group, and the reason for the choice.
///
/// The first frame of the app that is not noise decides. If the app has none, the first named frame of a system library does. Frames that
/// only have a file are kept until the first frame that identifies one function.
///
///     abort                 noise
///     swift::fatalError     noise
///     Cart.checkout         app   ← chosen
///     UIApplication.send    system
struct CrashPlace {
    /// The number of frames to search for a precise one.
    private static let deepest = 4

    private let stack: StackView
    let frames: [StackView.Frame]

    init(_ stack: StackView) {
        self.stack = stack
        let telling = stack.frames.filter { !$0.isNoise }
        let own = telling.filter { $0.origin != .system }
        frames = CrashPlace.top(stack.recursionRepresentative(own.isEmpty ? telling.filter(\.isNamed) : own), of: stack)
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

    /// Returns the frames up to the first precise one. A frame without a function name is dropped if the precise frame is in the same file.
    private static func top(_ frames: [StackView.Frame], of stack: StackView) -> [StackView.Frame] {
        guard let end = frames.prefix(deepest).firstIndex(where: \.isPrecise) else { return Array(frames.prefix(1)) }
        let name = stack.text(frames[end])
        return frames[..<end].filter { !name.starts(with: stack.text($0)) } + [frames[end]]
    }
}
