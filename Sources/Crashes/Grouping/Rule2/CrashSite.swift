// SPDX-License-Identifier: Apache-2.0

/// The frames of a stack that identify its group under rule 2, and the reason for the choice.
///
/// The first frame of the app that is not noise decides. A helper, such as `requireUser` or `withTimeout`, fails for the sake of its
/// caller, so the caller decides with it. Frames that only have a file are kept until the first that identifies one function.
///
///     abort                 noise
///     swift::fatalError     noise
///     Cart.requireItem      app, helper   ← chosen
///     Cart.checkout         app           ← chosen
///     UIApplication.send    library
struct CrashSite {
    /// The number of the app's frames to search for one that decides.
    private static let deepest = 5

    private let stack: CodeStack
    let frames: [CodeStack.Frame]

    init(_ stack: CodeStack) {
        self.stack = stack
        let telling = stack.frames.filter { !$0.isNoise }
        let own = telling.filter { $0.owner == .app }
        frames = CrashSite.top(stack.recursionRepresentative(own.isEmpty ? telling.filter(\.isNamed) : own), of: stack)
    }

    func add(to hash: inout StableHash) {
        for frame in frames { hash.add(part: stack.text(frame)) }
        if frames.count == 1, let position = frames[0].position { hash.add(part: "\(position.line):\(position.column)") }
        hash.add(0)
    }

    /// The function shown with the issue: the one that decides, behind helpers. A frame without a name shows its binary.
    var culprit: String? { culpritFrame.map(stack.label) }

    /// The name of the source file of that function, if it is native code and the file is known.
    var culpritFile: String? { culpritFrame.flatMap(stack.nativeFile) }

    private var culpritFrame: CodeStack.Frame? { frames.last(where: \.isNamed) ?? frames.last }

    var reason: String {
        guard let first = frames.first else { return "type alone" }
        let names = frames.map { String(decoding: stack.text($0), as: UTF8.self) }.joined(separator: " called by ")
        return first.owner == .app ? "top frame in the app: \(names)" : "top frame: \(names)"
    }

    private static func top(_ frames: [CodeStack.Frame], of stack: CodeStack) -> [CodeStack.Frame] {
        guard let end = frames.prefix(deepest).firstIndex(where: { $0.isPrecise && !HelperNames.contains(stack.text($0)) }) else {
            return Array(frames.prefix(1))
        }
        let name = stack.text(frames[end])
        // A frame without a function in the file of the one that decides adds nothing.
        return frames[..<end].filter { $0.isPrecise || !name.starts(with: stack.text($0)) } + [frames[end]]
    }
}
