// SPDX-License-Identifier: Apache-2.0

/// A stack prepared for rule 2: newest frame first, each as a short text with its owner.
struct CodeStack: GroupedStack {
    struct Frame: GroupedFrame {
        var text: Range<Int>
        var owner: CodeOwner
        /// Whether the text is a function's name. Otherwise it is a file or a place in a binary.
        var isNamed: Bool
        /// Whether the text identifies one place in the code. A file does not.
        var isPrecise: Bool
        /// The line and column of a frame without a name in minified code, which identify it within one build.
        var position: (line: Int, column: Int)?
        /// Whether the function only passes a failure on, such as `abort`.
        var isNoise: Bool
        /// The source file's name of native code.
        var nativeFile: String?
    }

    /// The texts of all frames, concatenated.
    private(set) var bytes: [UInt8] = []
    private(set) var frames: [Frame] = []
    private let images: ImageMap
    private let languages: Language.Stated
    private let marksApp: Bool

    init(_ stack: [StackFrame], _ images: ImageMap, _ languages: Language.Stated) {
        (self.images, self.languages) = (images, languages)
        marksApp = stack.contains { $0.inApp == true }
        bytes.reserveCapacity(stack.count * 48)
        frames.reserveCapacity(stack.count)
        for frame in stack.reversed() { take(frame) }
    }

    func text(_ frame: Frame) -> ArraySlice<UInt8> { bytes[frame.text] }

    private mutating func take(_ frame: StackFrame) {
        // The compiler describes a failed check as a function inlined into the one that failed: `Swift runtime failure: arithmetic overflow`.
        if frame.function?.hasPrefix("Swift runtime failure") == true { return }
        let language = Language.of(frame, languages)
        var owner = CodeOwner.of(frame, language, images, marksApp: marksApp)
        let start = bytes.count
        var isPrecise = CodeName.write(frame, language, to: &bytes)
        let isNamed = isPrecise
        if bytes.count == start, owner == .app { isPrecise = writePlace(frame) }
        let text = start..<bytes.count
        // Consecutive frames of a recursive function count as one.
        if let last = frames.last, !text.isEmpty, bytes[last.text].elementsEqual(bytes[text]) {
            bytes.removeSubrange(text)
            return
        }
        let name = language == .native ? CodeName.withoutLabels(bytes[text]) : bytes[text]
        if owner == .app, language == .native, RuntimeNames.contains(name) { owner = .library }
        let isNoise =
            text.isEmpty || isNamed && FrameNoise.covers(name, owner == .app ? .app : .system) || isRuntime(frame)
            || language == .native && RuntimeNames.isReporter(name)
        frames.append(
            Frame(
                text: text, owner: owner, isNamed: isNamed, isPrecise: isPrecise,
                position: isNamed ? nil : ScriptFunction.position(frame, language), isNoise: isNoise,
                nativeFile: language == .native && isNamed ? frame.file.map { FrameText.lastPart($0) } : nil))
    }

    /// Writes `IMAGE+OFFSET` for a frame without a name: the function's start if known, else the address.
    private mutating func writePlace(_ frame: StackFrame) -> Bool {
        guard let address = frame.address else { return false }
        let image = images.image(of: frame)
        // An address outside all binaries differs in each launch.
        guard image != nil || frame.package != nil || frame.imageAddress != nil else { return false }
        bytes += (image?.debugID?.text ?? (image?.codeFile ?? frame.package).map(FrameText.lastPart) ?? "").utf8
        bytes.append(UInt8(ascii: "+"))
        bytes += String((frame.symbolAddress ?? address) &- (frame.imageAddress ?? image?.address ?? 0), radix: 16).utf8
        return true
    }

    /// Whether the frame is code of the browser or the interpreter itself.
    private func isRuntime(_ frame: StackFrame) -> Bool { frame.file.map(CodeStack.runtimeFiles.contains) ?? false }

    private static let runtimeFiles: Set = ["[native code]", "native code", "eval code", "<anonymous>", "[internal]", "<unknown>", "native"]
}
