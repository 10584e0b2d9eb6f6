// SPDX-License-Identifier: Apache-2.0

/// The title of an issue, taken from its first stored report.
///
///     SIGILL, "ILL_ILLOPN at 0x56519d8d2c7c", inlined `Swift runtime failure: arithmetic overflow`   →  SIGILL: arithmetic overflow
///     SIGSEGV, "SEGV_MAPERR at 0x10"                                                                 →  SIGSEGV: SEGV_MAPERR
///     _Exception, "Exception: no seat"                                                               →  Exception: no seat
package enum IssueTitle {
    private static let longest = 200

    package static func of(_ report: CrashReport) -> String {
        // A logged message is its own title.
        let type = report.exceptions.isEmpty && report.type == "message" ? "" : type(of: report)
        let text = report.reason ?? report.exceptions.last?.value ?? ""
        let reason = runtimeFailure(report) ?? withoutAddress(description(firstLine(text), of: text))
        if reason.isEmpty || reason == type { return withoutMessage(report) }
        return type.isEmpty || repeats(type, in: reason) ? reason : cut("\(type): \(reason)")
    }

    /// Whether a message begins with its type, as texts of Dart do. There a type may be private: `_Exception`.
    private static func repeats(_ type: String, in reason: String) -> Bool {
        let names = [Array(type.utf8), Array(type.utf8.drop { $0 == UInt8(ascii: "_") })]
        return names.contains { !$0.isEmpty && reason.utf8.starts(with: $0 + Array(": ".utf8)) }
    }

    /// The check that failed, which a release build of Swift names only in an inlined frame.
    private static func runtimeFailure(_ report: CrashReport) -> String? {
        let name = report.crashStack.suffix(3).compactMap(\.function).last { $0.hasPrefix(failure) }
        return name.map { cut(String($0.dropFirst(failure.count))) }
    }

    private static let failure = "Swift runtime failure: "

    /// Returns the second line if the first only has the numbers of a Mach exception: `Exception 1, Code 1, Subcode 8 >`.
    private static func description(_ first: String, of text: String) -> String {
        guard first.hasPrefix("Exception "), first.hasSuffix(">"), first.utf8.count < longest else { return first }
        let rest = text.utf8.drop(while: \.isSpace).dropFirst(first.utf8.count)
        let second = firstLine(String(decoding: rest, as: UTF8.self))
        return second.isEmpty ? first : second
    }

    /// Removes an address at the end, which differs in each launch.
    private static func withoutAddress(_ text: String) -> String {
        let bytes = Array(text.utf8.last == UInt8(ascii: ".") ? text.utf8.dropLast() : text.utf8[...])
        let digits = bytes.reversed().prefix(while: \.isHexDigit).count
        let rest = bytes.dropLast(digits)
        guard digits > 0, rest.count > address.count, rest.suffix(address.count).elementsEqual(address) else { return text }
        return String(decoding: rest.dropLast(address.count), as: UTF8.self)
    }

    private static let address = Array(" at 0x".utf8)

    /// Returns the title without the exception's message, which may contain personal data.
    package static func withoutMessage(_ report: CrashReport?) -> String {
        let type = report.map(type(of:)) ?? ""
        return type.isEmpty ? "Unnamed crash" : type
    }

    private static func type(of report: CrashReport) -> String { firstLine(report.exceptions.last?.type ?? report.type) }

    private static func firstLine(_ text: String) -> String {
        let bytes = text.utf8.drop(while: \.isSpace).prefix { $0 != 0x0a && $0 != 0x0d }
        return cut(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the first characters of a text. Characters are only counted if the text has more bytes.
    private static func cut(_ text: String) -> String { text.utf8.count <= longest ? text : String(text.prefix(longest)) }
}
