// SPDX-License-Identifier: Apache-2.0

/// A frame as a text that is the same in every build.
enum FrameText {
    /// Writes the simplified function name. Returns false if the frame has none.
    static func write(_ frame: StackFrame, _ style: FrameStyle, to out: inout [UInt8]) -> Bool {
        if style == .script { return ScriptName.write(frame, to: &out) }
        let function = Array((frame.function ?? frame.rawFunction ?? "").utf8)[...]
        guard isName(function) else { return false }
        if style == .classes { ClassName.write(function, of: frame.module, to: &out) } else { NativeName.write(function, to: &out) }
        return true
    }

    /// Writes `IMAGE+OFFSET` for an unnamed frame of the app: the function's start if known, else the address. Frames of the system are
    /// skipped, because offsets differ between versions of the system.
    static func writePlace(_ frame: StackFrame, _ images: [BinaryImage], _ origin: FrameOrigin, to out: inout [UInt8]) {
        guard origin != .system, let address = frame.address, let image = image(of: frame, images) else { return }
        let base = frame.imageAddress ?? image.address ?? 0
        out += (image.debugID?.text ?? lastPart(image.codeFile ?? frame.package ?? "")).utf8
        out.append(UInt8(ascii: "+"))
        out += String((frame.symbolAddress ?? address) &- base, radix: 16).utf8
    }

    static func lastPart(_ path: String) -> String {
        let name = path.utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.map { path.utf8[path.utf8.index(after: $0)...] }
        return name.map { String(decoding: $0, as: UTF8.self) } ?? path
    }

    private static func image(of frame: StackFrame, _ images: [BinaryImage]) -> BinaryImage? {
        guard let address = frame.imageAddress ?? frame.address else { return nil }
        let index = images.indices.first { i in
            guard let base = images[i].address else { return false }
            return base == address || frame.imageAddress == nil && address >= base && address - base < images[i].size ?? 0
        }
        return index.map { images[$0] }
    }

    /// Whether the text is a name from source code, not a placeholder such as `<redacted>` or `0x1f40`.
    static func isName(_ function: ArraySlice<UInt8>) -> Bool {
        !function.isEmpty && !nameless.contains(function) && !unwritten.begins(function)
    }

    private static let nameless = WordList([
        "<redacted>", "<unknown>", "<compiler-generated>", "<deduplicated_symbol>", "?", "??", "???", "(null)", "(unknown)", "_mh_execute_header",
    ])
    private static let unwritten = WordList([
        "0x", "__hidden#", "___lldb_unnamed_symbol", "outlined ", "reabstraction thunk ", "thunk for ", "type metadata ", "value witness ",
        "destroy for ", "initializeWithCopy for ",
    ])
}
