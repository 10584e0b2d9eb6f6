// SPDX-License-Identifier: Apache-2.0

/// A function of JavaScript as all engines name it.
///
///     Object.total [as sum]  →  total        async save        →  save
///     total/<                →  total        new Cart          →  Cart
///     _callee3$              →  _callee      HTMLInput.<anonymous>  →  nothing
///     ?anon_0_save           →  save, from Hermes
enum JavaScriptName {
    /// - Parameter keepsClass: Whether the class stays, as only V8 writes it.
    static func simplified(_ function: ArraySlice<UInt8>, keepsClass: Bool) -> ArraySlice<UInt8> {
        var name = function
        while let prefix = prefixes.first(where: { name.begins(with: $0) }) { name = name.dropFirst(prefix.count) }
        if name.begins(with: hermesAnonymous) { name = name.dropFirst(hermesAnonymous.count).drop(while: \.isDigit).drop { $0 == UInt8(ascii: "_") } }
        name = name.prefix { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "@") && $0 != UInt8(ascii: "(") && $0 != 0 }
        while let last = name.last, last.isSpace || last == UInt8(ascii: ".") { name = name.dropLast() }
        name = withoutReceiver(name, keepsClass: keepsClass)
        // V8 writes `Field.set value` where others write `set value`.
        if let prefix = accessors.first(where: { name.begins(with: $0) }) { name = name.dropFirst(prefix.count) }
        if name.begins(with: callee) { return callee[...] }
        return nameless.contains { name.elementsEqual($0) } ? [] : name
    }

    private static func withoutReceiver(_ name: ArraySlice<UInt8>, keepsClass: Bool) -> ArraySlice<UInt8> {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return name }
        let method = name[(dot + 1)...]
        guard keepsClass, !method.begins(with: anonymous) else { return method }
        let receiver = name[..<dot]
        return receivers.contains { receiver.elementsEqual($0) } || receiver.count <= 2 ? method : name
    }

    private static let hermesAnonymous = Array("?anon_".utf8)
    private static let callee = Array("_callee".utf8)
    private static let anonymous = Array("<anonymous>".utf8)
    private static let prefixes = ["async ", "new ", "bound ", "get ", "set ", "async*"].map { Array($0.utf8) }
    private static let accessors = ["get ", "set "].map { Array($0.utf8) }
    private static let receivers = ["Object", "Module", "Function", "Array", "Promise", "Generator", "exports", "module.exports", "global"].map {
        Array($0.utf8)
    }
    private static let nameless = ["?", "<anonymous>", "Anonymous function", "anonymous", "<unknown>", "eval", "global code", "module code"].map {
        Array($0.utf8)
    }
}
