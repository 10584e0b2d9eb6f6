// SPDX-License-Identifier: Apache-2.0

/// A stack as grouping sees it: newest first, each frame as a short text, and which of them say where a fault lies.
struct StackView {
    struct Frame {
        var text: Range<Int>
        var origin: FrameOrigin
        /// Whether the text is a function's name, or only a place in a binary or file.
        var isNamed: Bool
        /// Whether it tells one function from all others: a name does, an offset in a binary as well, a file does not.
        var isPrecise: Bool
        var isNoise: Bool
    }

    /// The texts of all frames, one behind the other.
    private(set) var bytes: [UInt8] = []
    private(set) var frames: [Frame] = []
    /// Whether a frame of the app has been met: none that is further from the fault need be looked up by its address.
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
        // A function that calls itself is one place.
        if let last = frames.last, bytes[last.text].elementsEqual(bytes[text]), !text.isEmpty {
            bytes.removeSubrange(text)
            return
        }
        let isNoise = text.isEmpty || isNamed && FrameNoise.covers(bytes[text], origin) || style == .script && isMachine(frame)
        if !isNoise, origin != .system { hasPlace = true }
        frames.append(Frame(text: text, origin: origin, isNamed: isNamed, isPrecise: isNamed || style == .native, isNoise: isNoise))
    }

    /// What a browser runs itself.
    private func isMachine(_ frame: StackFrame) -> Bool {
        frame.function == "eval" || frame.file.map(StackView.machines.contains) ?? false
    }

    private static let machines = ["[native code]", "native code", "eval code", "<anonymous>"]
}
