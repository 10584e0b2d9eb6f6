// SPDX-License-Identifier: Apache-2.0

import Platform

/// A function of JavaScript, Python, PHP or Ruby after its file or module: `checkout:pay`. It removes the differences between browsers.
enum ScriptName {
    /// Returns whether the function has a name. Otherwise only the file or module is written.
    static func write(_ frame: StackFrame, to out: inout [UInt8]) -> Bool {
        writePlace(frame, to: &out)
        let name = simplified(Array((frame.function ?? "").utf8)[...])
        guard !name.isEmpty else { return false }
        if !out.isEmpty { out.append(UInt8(ascii: ":")) }
        out += name
        return true
    }

    /// Writes the file name in lower case without folders, extension and a bundler's content hash, or else the module.
    private static func writePlace(_ frame: StackFrame, to out: inout [UInt8]) {
        guard let file = frame.file, !file.isEmpty, frame.platform != "python" || frame.module == nil else {
            out += (frame.module ?? "").utf8
            return
        }
        let path = Array(file.utf8).prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let name = path.suffix(from: path.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.map { $0 + 1 } ?? path.startIndex)
        var rest = name.prefix(upTo: name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)
        let start = out.count
        while !rest.isEmpty {
            let part = rest.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") }
            rest = rest[part.endIndex...].dropFirst()
            guard !part.isEmpty, !isHash(part) else { continue }
            if out.count > start { out.append(UInt8(ascii: ".")) }
            for byte in part { out.append(byte.lowercased) }
        }
    }

    private static func isHash(_ part: ArraySlice<UInt8>) -> Bool {
        part.count >= 6 && part.allSatisfy(\.isHexDigit) && part.contains(where: \.isDigit)
    }

    private static func simplified(_ function: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var name = function
        while let prefix = prefixes.first(where: { name.begins(with: $0) }) { name = name.dropFirst(prefix.count) }
        // `Object.add [as total]`, `add/<`, `class@anonymous…`.
        name = name.prefix { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "@") && $0 != 0 }
        while let last = name.last, last.isSpace || last == UInt8(ascii: ".") { name = name.dropLast() }
        if let dot = name.lastIndex(of: UInt8(ascii: ".")) { name = name[(dot + 1)...] }
        return nameless.contains { name.elementsEqual($0) } ? [] : name
    }

    private static let prefixes = ["async ", "new ", "bound ", "get ", "set ", "block in ", "rescue in ", "ensure in "].map { Array($0.utf8) }
    private static let nameless = ["?", "<anonymous>", "Anonymous function", "anonymous", "(anonymous)", "{closure}", "<unknown>"].map {
        Array($0.utf8)
    }
}
