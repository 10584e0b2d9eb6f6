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
        /// Whether the frame is a function of native code.
        var isNative: Bool
        /// The frame's place in the report's stack.
        var place: Int
    }

    /// The texts of all frames, concatenated.
    private(set) var bytes: [UInt8] = []
    private(set) var frames: [Frame] = []
    private let stack: [StackFrame]
    private let images: ImageMap
    private let languages: Language.Stated
    private let marksApp: Bool
    private var paths = PathFacts()

    init(_ stack: [StackFrame], _ images: ImageMap, _ languages: Language.Stated) {
        (self.stack, self.images, self.languages) = (stack, images, languages)
        marksApp = stack.indices.contains { stack[$0].inApp == true }
        bytes.reserveCapacity(stack.count * 48)
        frames.reserveCapacity(stack.count)
        // A span lends its elements. A copy of a frame would count references to each of its texts.
        let span = stack.span
        for i in span.indices.reversed() { take(span[i], at: i) }
    }

    func text(_ frame: Frame) -> ArraySlice<UInt8> { bytes[frame.text] }

    /// Returns a frame as people read it: without the name that all bundles of React Native share, and with a binary's file in place of its ID.
    ///
    ///     bundle:pay                                 →  pay
    ///     c0bcc3f1-9827-fe65-3058-404b2831d9e6+20    →  Shop+20
    func label(_ frame: Frame) -> String {
        let text = text(frame)
        if frame.isNamed, text.begins(with: CodeStack.bundle), text.count > CodeStack.bundle.count {
            return String(decoding: text.dropFirst(CodeStack.bundle.count), as: UTF8.self)
        }
        if !frame.isNamed, frame.isPrecise, let plus = text.lastIndex(of: UInt8(ascii: "+")) {
            let file = stack[frame.place].package ?? images.image(of: stack[frame.place])?.codeFile ?? ""
            if !file.isEmpty { return FrameText.lastPart(file) + String(decoding: text[plus...], as: UTF8.self) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The source file's name of native code.
    func nativeFile(of frame: Frame) -> String? { frame.isNative ? stack[frame.place].file.map(FrameText.lastPart) : nil }

    private mutating func take(_ frame: StackFrame, at place: Int) {
        // The compiler describes a failed check as a function inlined into the one that failed: `Swift runtime failure: arithmetic overflow`.
        let function = Array((frame.function ?? "").utf8)[...]
        if function.begins(with: CodeStack.runtimeFailure) { return }
        let language = Language.of(frame, languages, &paths)
        var owner = CodeOwner.of(frame, language, images, &paths, marksApp: marksApp)
        let start = bytes.count
        var isPrecise = CodeName.write(frame, function, language, &paths, to: &bytes)
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
                isNative: language == .native && isNamed, place: place))
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
    private func isRuntime(_ frame: StackFrame) -> Bool {
        frame.file.map { $0.utf8.count <= CodeStack.longestRuntimeFile && CodeStack.runtimeFiles.contains($0) } ?? false
    }

    private static let bundle = Array("bundle:".utf8)
    private static let runtimeFailure = Array("Swift runtime failure".utf8)
    private static let runtimeFiles: Set = ["[native code]", "native code", "eval code", "<anonymous>", "[internal]", "<unknown>", "native"]
    private static let longestRuntimeFile = runtimeFiles.map(\.utf8.count).max() ?? 0
}
