// SPDX-License-Identifier: Apache-2.0

/// A function name of C, C++, Objective-C, Swift or Rust without the parts that differ between builds, compilers and reporters: parameters,
/// generics, return types, numbers of closures, suffixes.
///
///     void shop::Cart<int>::add(int) const                       →  shop::Cart::add
///     shop::Cart::add(int)::{lambda(int)#1}::operator()(int)     →  shop::Cart::add
///     closure #1 in Shop.Cart.total.getter : Swift.Int           →  Shop.Cart.total.getter
struct NativeName {
    private let text: ArraySlice<UInt8>
    private var at: Int
    private var out: [UInt8]
    private let start: Int

    /// Appends the simplified name to `out`.
    static func write(_ whole: ArraySlice<UInt8>, to out: inout [UInt8]) {
        if let method = ObjectiveCName.method(in: whole) { return ObjectiveCName.write(method, to: &out) }
        let inner = NameEnding.cut(SwiftName.inner(of: whole))
        var name = NativeName(text: inner, out: consume out)
        name.run()
        name.leaveStandardLibrary()
        out = name.out
        // A name of which nothing is left is not one of these languages and is kept as it is.
        if out.count == name.start { out += inner }
    }

    private init(text: ArraySlice<UInt8>, out: consuming [UInt8]) {
        self.text = text
        at = text.startIndex
        start = out.count
        self.out = out
    }

    private mutating func run() {
        while at < text.endIndex {
            switch text[at] {
            case UInt8(ascii: "<"): takeAngle()
            case UInt8(ascii: ">"): at += 1
            case UInt8(ascii: "("): takeParenthesis()
            case UInt8(ascii: "["): skipNested(UInt8(ascii: "["), UInt8(ascii: "]"))
            case UInt8(ascii: "{"):
                skipNested(UInt8(ascii: "{"), UInt8(ascii: "}"))
                leaveLambda()
            case UInt8(ascii: "`"), UInt8(ascii: "'"): takeQuoted()
            case UInt8(ascii: "$") where text[at...].begins(with: NativeName.numberedLambda): takeNumberedLambda()
            case UInt8(ascii: "o") where atWordStart && text[at...].begins(with: NativeName.operatorWord): takeOperator()
            case UInt8(ascii: " "): if takeSpace() { return trimEnd() }
            default: copy()
            }
        }
        trimEnd()
    }

    // MARK: - Parts of a name

    /// Skips template arguments. At the beginning they are Rust's `<Type as Trait>::method`, of which the type is kept.
    private mutating func takeAngle() {
        let opens = out.count == start || endsWithScope
        if opens, text[(at + 1)...].begins(with: NativeName.lambdaWord) {
            skipNested(UInt8(ascii: "<"), UInt8(ascii: ">"))
            return leaveLambda()
        }
        if out.count == start { at += 1 } else { skipNested(UInt8(ascii: "<"), UInt8(ascii: ">")) }
    }

    /// Skips parameters, or a note about the declaration such as `(anonymous namespace)`.
    private mutating func takeParenthesis() {
        let inside = text[(at + 1)...]
        if inside.begins(with: NativeName.privateType) == false, let name = privateName(inside) { out += name }
        let isScope = inside.begins(with: NativeName.anonymous) || inside.begins(with: NativeName.privateType)
        skipNested(UInt8(ascii: "("), UInt8(ascii: ")"))
        if isScope { skipScope() }
    }

    /// Returns the type of `(Cart in _0A1B2C3D)`, which Swift writes for a type that is private to its file.
    private func privateName(_ inside: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let name = inside.prefix(while: \.isWord)
        return !name.isEmpty && text[name.endIndex...].begins(with: NativeName.inFile) ? name : nil
    }

    private mutating func takeQuoted() {
        let inside = text[(at + 1)...]
        guard let end = inside.prefix(NativeName.longestQuote).firstIndex(of: UInt8(ascii: "'")) else { return copy() }
        if inside.begins(with: NativeName.anonymous.dropLast(10)) {
            at = end + 1
            skipScope()
        } else if inside.begins(with: NativeName.lambdaWord) {
            at = end + 1
            leaveLambda()
        } else {
            out += text[at...end]
            at = end + 1
        }
    }

    private mutating func takeNumberedLambda() {
        at += 2
        while at < text.endIndex, text[at].isDigit { at += 1 }
        leaveLambda()
    }

    /// Drops a lambda in favour of the enclosing function.
    private mutating func leaveLambda() {
        if at < text.endIndex, text[at] == UInt8(ascii: "(") { skipNested(UInt8(ascii: "("), UInt8(ascii: ")")) }
        if text[at...].begins(with: NativeName.callOperator) { at += NativeName.callOperator.count }
        while let last = out.last, out.count > start, last == UInt8(ascii: ":") { out.removeLast() }
    }

    private mutating func takeOperator() {
        out += NativeName.operatorWord
        at += NativeName.operatorWord.count
        guard at < text.endIndex, !text[at].isWord else { return }
        if text[at] == UInt8(ascii: "(") { at += 2; out += [UInt8(ascii: "("), UInt8(ascii: ")")] }
        let isConversion = at < text.endIndex && text[at] == UInt8(ascii: " ")
        while at < text.endIndex, text[at] != UInt8(ascii: "("), isConversion || !text[at].isWord { copy() }
        at = min(at, text.endIndex)
    }

    /// Returns whether the name ends here. Otherwise the text before the space was a return type or a phrase such as `virtual thunk to`.
    private mutating func takeSpace() -> Bool {
        let behind = text[at...]
        if NativeName.ends.contains(where: { behind.begins(with: $0) }) { return true }
        if behind.begins(with: NativeName.asTrait) {
            skipNested(UInt8(ascii: "<"), UInt8(ascii: ">"), depth: 1)
        } else {
            out.removeSubrange(start...)
            at += 1
        }
        return false
    }

    /// Drops the prefix `Swift.`, which only some reporters write.
    private mutating func leaveStandardLibrary() {
        if out[start...].begins(with: NativeName.swiftModule) { out.removeSubrange(start..<(start + NativeName.swiftModule.count)) }
    }

    // MARK: - Moving the position

    private mutating func copy() {
        out.append(text[at])
        at += 1
    }

    private var atWordStart: Bool { out.count == start || !(out.last?.isWord ?? false) }
    private var endsWithScope: Bool { out.last == UInt8(ascii: ":") }

    private mutating func skipNested(_ open: UInt8, _ close: UInt8, depth: Int = 0) {
        var depth = depth
        repeat {
            if text[at] == open { depth += 1 }
            // The `>` of a function type's arrow does not close a bracket.
            if text[at] == close, !(close == UInt8(ascii: ">") && at > text.startIndex && text[at - 1] == UInt8(ascii: "-")) { depth -= 1 }
            at += 1
        } while depth > 0 && at < text.endIndex
    }

    private mutating func skipScope() {
        while at < text.endIndex, text[at] == UInt8(ascii: ":") { at += 1 }
    }

    private mutating func trimEnd() {
        while out.count > start, let last = out.last, last == UInt8(ascii: ":") || last == UInt8(ascii: ".") || last.isSpace { out.removeLast() }
    }

    private static let longestQuote = 64
    private static let anonymous = Array("anonymous namespace".utf8)
    private static let privateType = Array("extension in ".utf8)
    private static let inFile = Array(" in ".utf8)
    private static let asTrait = Array(" as ".utf8)
    private static let swiftModule = Array("Swift.".utf8)
    private static let lambdaWord = Array("lambda".utf8)
    private static let numberedLambda = Array("$_".utf8)
    private static let operatorWord = Array("operator".utf8)
    private static let callOperator = Array("::operator()".utf8)
    private static let ends = [
        " -> ", " : ", " + ", " throws", " async", " const", " volatile", " in ", " &", " infix", " prefix", " postfix", " requires ",
    ].map { Array($0.utf8) }
}
