// SPDX-License-Identifier: Apache-2.0

/// A stack prepared for grouping: newest frame first, each as a short text with its origin.
struct StackView: GroupedStack {
    struct Frame: GroupedFrame {
        var text: Range<Int>
        var origin: FrameOrigin
        /// Whether the text is a function name. Otherwise it is a place in a binary or file.
        var isNamed: Bool
        /// Whether the text identifies one function. A name and an offset in a binary do; a file does not.
        var isPrecise: Bool
        var isNoise: Bool
    }

    /// The texts of all frames, concatenated.
    private(set) var bytes: [UInt8] = []
    private(set) var frames: [Frame] = []
    /// Whether a frame of the app has been found. Later frames then need no lookup by address.
    private var hasPlace = false

    init(_ stack: [StackFrame], images: [BinaryImage]) {
        bytes.reserveCapacity(stack.count * 40)
        frames.reserveCapacity(stack.count)
        for i in stack.indices.reversed() { take(stack[i], images) }
    }

    func text(_ frame: Frame) -> ArraySlice<UInt8> { bytes[frame.text] }

    private mutating func take(_ frame: StackFrame, _ images: [BinaryImage]) {
        let style = FrameStyle.of(frame)
        let origin = FrameOrigin.of(frame, style)
        let start = bytes.count
        let isNamed = FrameText.write(frame, style, to: &bytes)
        if !isNamed, style == .native, !hasPlace { FrameText.writePlace(frame, images, origin, to: &bytes) }
        let text = start..<bytes.count
        // Consecutive frames of a recursive function count as one.
        if let last = frames.last, bytes[last.text].elementsEqual(bytes[text]), !text.isEmpty {
            bytes.removeSubrange(text)
            return
        }
        let isNoise = text.isEmpty || isNamed && FrameNoise.covers(bytes[text], origin) || style == .script && isRuntimeFrame(frame)
        if !isNoise, origin != .system { hasPlace = true }
        frames.append(Frame(text: text, origin: origin, isNamed: isNamed, isPrecise: isNamed || style == .native, isNoise: isNoise))
    }

    /// Whether the frame is code of the browser itself.
    private func isRuntimeFrame(_ frame: StackFrame) -> Bool {
        frame.function == "eval" || frame.file.map(StackView.runtimeFiles.contains) ?? false
    }

    private static let runtimeFiles = ["[native code]", "native code", "eval code", "<anonymous>"]
}
