// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON
import Platform

/// A part of a report that was cut or omitted while it was read.
struct CrashCut: Hashable {
    var reason: Reason
    var field: String
    var message: String
}

/// The parts of frames that an app may choose not to keep.
struct FrameParts: Sendable {
    var hasVariables = true
    var hasSource = true

    init() {}

    init(_ settings: AppSettings) {
        (hasVariables, hasSource) = (settings.localVariables, settings.sourceContext)
    }
}

/// Decodes the parts of a crash report from a tape in any of their accepted spellings.
///
/// An invalid part does not invalidate the report. It is cut or omitted, and the cut is reported to the sender and stored with the report.
///
///     {"exception": [{"type": "Error", "stacktrace": {"frames": […]}}]}
///     {"exceptions": {"values": [{"type": "Error", "frames": […]}]}}          the same report
struct CrashReader {
    let tape: JSONTape
    private(set) var cuts: [CrashCut] = []
    /// The number of frames that the request may still use. It bounds the memory of a request with many small frames.
    var framesLeft = CrashLimits.framesPerRequest

    /// Whether the input is a stored report, which may contain fields that senders may not set.
    let isOurs: Bool
    /// The parts of frames that are kept.
    let kept: FrameParts

    init(_ tape: JSONTape, isOurs: Bool = false, keeping kept: FrameParts = FrameParts()) {
        self.tape = tape
        self.isOurs = isOurs
        self.kept = kept
    }

    /// Returns the cuts since the last call.
    mutating func takeCuts() -> [CrashCut] {
        defer { cuts = [] }
        return cuts
    }

    /// Adds a cut. Equal cuts are listed once.
    mutating func cut(_ reason: Reason, _ field: String, _ message: String) {
        let cut = CrashCut(reason: reason, field: field, message: message)
        guard cuts.count < FixedLimits.verdictsPerEvent, !cuts.contains(cut) else { return }
        cuts.append(cut)
    }

    mutating func cut(_ lost: [CrashCut]) {
        for cut in lost { self.cut(cut.reason, cut.field, cut.message) }
    }

    mutating func cut(_ field: String, toLast limit: Int) {
        cut(.tooManyEntries, field, "Has more than \(limit) entries; the last ones were kept.")
    }
}

// MARK: - Single values

extension CrashReader {
    /// Reads a string, or any other value as JSON; nil if it is empty or missing. Longer text is cut.
    mutating func text(_ name: StaticString, of object: Int, limit: Int = CrashLimits.nameCharacters) -> String? {
        guard let place = tape.value(name, of: object) else { return nil }
        let text = text(place, name.description, limit: limit)
        return text.isEmpty ? nil : text
    }

    mutating func text(_ place: Int, _ field: @autoclosure () -> String, limit: Int = CrashLimits.nameCharacters) -> String {
        let token = tape[place]
        let text =
            token.kind == .string || token.kind == .key ? tape.lossyText(token) : String(decoding: tape.bytes[tape.slice(place)], as: UTF8.self)
        let short = text.prefix(scalars: limit)
        if short.utf8.count < text.utf8.count { cut(.valueTooLong, field(), "Has more than \(limit) characters; the rest was cut off.") }
        return short
    }

    func flag(_ name: StaticString, of object: Int) -> Bool? {
        guard let place = tape.value(name, of: object) else { return nil }
        return switch tape[place].kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// Reads a whole number, or a string of one.
    func integer(_ name: StaticString, of object: Int) -> Int? {
        guard let place = tape.value(name, of: object) else { return nil }
        if let integer = tape[place].integer { return Int(integer) }
        return tape[place].kind == .string ? tape.text(tape[place]).flatMap { Int($0) } : nil
    }

    /// Reads an address or a size: a number, or a string of digits.
    ///
    ///     140    "140"    "0x8c"    "8c"    →  140
    func address(_ name: StaticString, of object: Int) -> UInt64? {
        guard let place = tape.value(name, of: object) else { return nil }
        let token = tape[place]
        if let integer = token.integer { return UInt64(exactly: integer) }
        guard token.kind == .unsigned || token.kind == .string else { return nil }
        return UInt64(address: tape.bytes.span.extracting(token.range))
    }
}

extension UInt64 {
    /// Reads digits: hexadecimal after `0x`, else decimal, else hexadecimal.
    init?(address text: Span<UInt8>) {
        let isMarked = text.count > 2 && text[0] == UInt8(ascii: "0") && text[1] | 0x20 == UInt8(ascii: "x")
        let number =
            isMarked ? UInt64(digits: text.extracting(2..<text.count), radix: 16) : UInt64(digits: text, radix: 10) ?? UInt64(digits: text, radix: 16)
        guard let number else { return nil }
        self = number
    }

    init?(digits text: Span<UInt8>, radix: UInt64) {
        guard !text.isEmpty, text.count <= 20 else { return nil }
        var value: UInt64 = 0
        for i in 0..<text.count {
            guard let digit = text[i].hexValue.map(UInt64.init), digit < radix else { return nil }
            let (scaled, overflow) = value.multipliedReportingOverflow(by: radix)
            let (sum, carry) = scaled.addingReportingOverflow(digit)
            if overflow || carry { return nil }
            value = sum
        }
        self = value
    }
}
