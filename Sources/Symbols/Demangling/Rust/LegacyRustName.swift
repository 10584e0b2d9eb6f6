// SPDX-License-Identifier: Apache-2.0

/// A Rust name of the scheme before v0. It is a C++ name whose last part is a hash, and whose parts escape all punctuation.
///
///     core::ptr::drop_in_place$LT$shop..Cart$GT$::h0123456789abcdef  →  core::ptr::drop_in_place<shop::Cart>
package enum LegacyRustName {
    private static let escapes: [String: String] = [
        "SP": "@", "BP": "*", "RF": "&", "LT": "<", "GT": ">", "LP": "(", "RP": ")", "C": ",",
    ]

    /// Returns the readable form of a demangled C++ name; nil unless it ends with a hash of Rust.
    package static func readable(_ name: String) -> String? {
        let name = Array(name.utf8)
        guard isHash(name[...], after: "::h") else { return nil }
        let text = name.dropLast(19)
        var out: [UInt8] = []
        var place = text.startIndex
        while place < text.endIndex {
            let (bytes, count) = unescaped(text[place...], isStart: out.isEmpty || out.last == 0x3a)
            out += bytes
            place += count
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Returns a mangled name up to its hash, without a suffix that LLVM added, as `.llvm.1234`; nil if it has no hash.
    static func withoutSuffix(_ mangled: String) -> String? {
        let name = Array(mangled.utf8)
        guard name.starts(with: "_ZN".utf8) else { return nil }
        let end = name.indices.last { index in
            name[index] == 0x45 && (index + 1 == name.count || name[index + 1] == 0x2e) && isHash(name[..<index], after: "17h")
        }
        return end.map { String(decoding: name[...$0], as: UTF8.self) }
    }

    /// Whether the text ends with the mark and 16 hexadecimal digits.
    private static func isHash(_ text: ArraySlice<UInt8>, after mark: String) -> Bool {
        let hash = text.suffix(16 + mark.utf8.count)
        guard hash.count == 16 + mark.utf8.count, hash.starts(with: mark.utf8) else { return false }
        return hash.suffix(16).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Returns the text that the beginning stands for, and its length: `$LT$` is `<`, `..` is `::`, `$u7e$` is `~`.
    private static func unescaped(_ rest: ArraySlice<UInt8>, isStart: Bool) -> (bytes: [UInt8], count: Int) {
        if rest.starts(with: "..".utf8) { return (Array("::".utf8), 2) }
        // A part does not begin with an escape, so an underscore stands before it.
        if isStart, rest.starts(with: "_$".utf8) { return ([], 1) }
        let code = rest.dropFirst().prefix(8).prefix { $0 != 0x24 }
        guard rest.first == 0x24, code.endIndex < rest.endIndex, rest[code.endIndex] == 0x24 else { return (Array(rest.prefix(1)), 1) }
        guard let text = text(of: String(decoding: code, as: UTF8.self)) else { return (Array(rest.prefix(1)), 1) }
        return (Array(text.utf8), code.count + 2)
    }

    private static func text(of code: String) -> String? {
        if let known = escapes[code] { return known }
        guard code.utf8.first == 0x75, let scalar = UInt32(code.dropFirst(), radix: 16).flatMap(Unicode.Scalar.init) else { return nil }
        return scalar.properties.generalCategory == .control ? nil : String(scalar)
    }
}
