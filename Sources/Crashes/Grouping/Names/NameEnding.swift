// SPDX-License-Identifier: Apache-2.0

/// Removes suffixes that compilers, linkers and reporters append to function names.
///
///     add.cold.1  →  add        copy$VARIANT$mp  →  copy        cart_add + 124  →  cart_add
enum NameEnding {
    static func cut(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var name = name
        for _ in 0..<6 {
            guard let shorter = shortened(name), !shorter.isEmpty else { break }
            name = shorter
        }
        return withoutBlock(withoutVariant(name))
    }

    private static func shortened(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        switch name.last {
        case UInt8(ascii: " ")?: return name.dropLast()
        case UInt8(ascii: "]")?: return behindSpace(name, UInt8(ascii: "["))
        case UInt8(ascii: ")")?: return suffixInParentheses(name)
        case let last? where last.isHexDigit: return withoutOffset(name) ?? withoutRustHash(name) ?? withoutWord(name)
        case let last? where last.isLetter: return withoutWord(name)
        default: return nil
        }
    }

    private static func behindSpace(_ name: ArraySlice<UInt8>, _ opening: UInt8) -> ArraySlice<UInt8>? {
        guard let open = name.lastIndex(of: opening), open > name.startIndex, name[open - 1] == UInt8(ascii: " ") else { return nil }
        return name[..<(open - 1)]
    }

    private static func suffixInParentheses(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let open = name.lastIndex(of: UInt8(ascii: "(")), name[open...].dropFirst().first == UInt8(ascii: ".") else { return nil }
        return behindSpace(name, UInt8(ascii: "("))
    }

    /// Removes an offset: `main + 40`, `main+0x28`.
    private static func withoutOffset(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let digits = name.reversed().prefix { $0.isHexDigit || $0 == UInt8(ascii: "x") }
        var rest = name.dropLast(digits.count)
        while rest.last == UInt8(ascii: " ") { rest = rest.dropLast() }
        return rest.last == UInt8(ascii: "+") ? rest.dropLast() : nil
    }

    /// Removes the hash of a Rust symbol: `::h0123456789abcdef`.
    private static func withoutRustHash(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let tail = name.suffix(19)
        guard tail.count == 19, tail.begins(with: rustHash), tail.dropFirst(3).allSatisfy(\.isHexDigit) else { return nil }
        return name.dropLast(19)
    }

    /// Removes a number or a known word after a dot: `.isra.0`.
    private static func withoutWord(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let dot = name.lastIndex(where: { !$0.isWord }), dot > name.startIndex else { return nil }
        let word = name[(dot + 1)...]
        switch name[dot] {
        case UInt8(ascii: "."): return word.allSatisfy(\.isDigit) || dotted.contains { word.elementsEqual($0) } ? name[..<dot] : nil
        case UInt8(ascii: "@"): return word.elementsEqual(plt) ? name[..<dot] : nil
        default: return nil
        }
    }

    /// Removes markers of processor-specific copies (`$VARIANT$mp`) and library versions (`@@GLIBC_2.34`).
    private static func withoutVariant(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let mark = name.indices.dropFirst().first { i in
            (name[i] == UInt8(ascii: "$") || name[i] == UInt8(ascii: "@")) && marks.contains { name[i...].begins(with: $0) }
        }
        return mark.map { name[..<$0] } ?? name
    }

    private static func withoutBlock(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard name.begins(with: underscores) else { return name }
        var end = name
        while let last = end.last, last.isDigit || last == UInt8(ascii: "_") { end = end.dropLast() }
        return end.suffix(block.count).elementsEqual(block) ? end.dropLast(block.count).dropFirst(2) : name
    }

    private static let rustHash = Array("::h".utf8)
    private static let plt = Array("plt".utf8)
    private static let underscores = Array("__".utf8)
    private static let block = Array("_block_invoke".utf8)
    private static let marks = ["$VARIANT$", "@@"].map { Array($0.utf8) }
    private static let dotted = ["cold", "warm", "isra", "part", "constprop", "llvm", "lto_priv", "resume", "destroy", "cleanup"].map {
        Array($0.utf8)
    }
}
