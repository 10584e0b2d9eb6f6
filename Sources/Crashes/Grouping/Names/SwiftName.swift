// SPDX-License-Identifier: Apache-2.0

/// Swift's demangled names, which describe in words how one function belongs to another.
///
///     closure #1 in Cart.total.getter : Swift.Int     →  Cart.total.getter : Swift.Int
///     generic specialization <Int> of Cart.add<A>(A)  →  Cart.add<A>(A)
enum SwiftName {
    /// Returns the enclosing function from which the compiler generated this one.
    static func inner(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var name = name
        // Each iteration removes one word. The limit bounds the nesting.
        for _ in 0..<8 {
            guard let first = name.first, first < 0x80, begins[Int(first)], let next = step(name) else { return name }
            name = next
        }
        return name
    }

    private static func step(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        if let prefix = prefixes.first(where: { name.begins(with: $0) }) { return name.dropFirst(prefix.count) }
        if closures.contains(where: { name.begins(with: $0) }) { return behindLast(inWord, name) }
        if specializations.contains(where: { name.begins(with: $0) }) { return behindLast(ofWord, name) }
        guard name.first == UInt8(ascii: "("), name.dropFirst().first?.isDigit == true else { return nil }
        return behindLast(forWord, name)
    }

    /// Returns the text after the last occurrence of `word` outside parentheses.
    private static func behindLast(_ word: [UInt8], _ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var depth = 0
        var end: Int?
        for i in name.indices {
            switch name[i] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: " ") where depth == 0 && name[i...].begins(with: word): end = i + word.count
            default: break
            }
        }
        return end.map { name[$0...] }
    }

    private static let prefixes = [
        "@objc ", "@nonobjc ", "specialized ", "static ", "class ", "merged ", "partial apply forwarder for ", "partial apply for ",
        "protocol witness for ", "dispatch thunk of ",
        "curry thunk of ", "vtable thunk for ", "async function pointer to ",
    ].map { Array($0.utf8) }
    private static let closures = ["closure #", "implicit closure #"].map { Array($0.utf8) }
    private static let specializations = [
        "generic specialization <", "generic partial specialization <", "function signature specialization <", "default argument ",
    ].map { Array($0.utf8) }
    private static let inWord = Array(" in ".utf8)
    private static let ofWord = Array(" of ".utf8)
    private static let forWord = Array(" for ".utf8)

    /// The first bytes of all words. One lookup suffices for most names.
    private static let begins: [Bool] = {
        var begins = [Bool](repeating: false, count: 128)
        for word in prefixes + closures + specializations + [[UInt8(ascii: "(")]] { begins[Int(word[0])] = true }
        return begins
    }()
}
