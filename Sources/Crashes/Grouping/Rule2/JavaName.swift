// SPDX-License-Identifier: Apache-2.0

/// A method of Java or Kotlin with its class, without what compilers number or generate.
///
///     class `shop.Cart$1`, method `run`               →  shop.Cart.run
///     class `shop.Cart$pay$1`, method `invokeSuspend` →  shop.Cart.pay
///     class `shop.Cart`, method `pay$lambda$3`        →  shop.Cart.pay
///     class `shop.Cart`, method `lambda$pay$0`        →  shop.Cart.pay
///     class `shop.Cart`, method `pay-0E7RQCE`         →  shop.Cart.pay
enum JavaName {
    /// Returns whether the name identifies a function.
    static func write(_ frame: StackFrame, to out: inout [UInt8]) -> Bool {
        let start = out.count
        let inner = writeClass(Array((frame.module ?? "").utf8)[...], to: &out)
        let method = simplified(Array((frame.function ?? "").utf8)[...])
        if !method.isEmpty, !(inner && calls.contains(method)) {
            if out.count > start { out.append(UInt8(ascii: ".")) }
            out += method
        }
        return out.count > start
    }

    /// Writes the class, and returns whether it is a function's own, such as `Cart$pay$1` of a lambda in `pay`.
    private static func writeClass(_ name: ArraySlice<UInt8>, to out: inout [UInt8]) -> Bool {
        var isFunction = false
        for (i, part) in name.split(separator: dollar, omittingEmptySubsequences: false).enumerated() {
            // Two dollars start a name that the compiler or runtime generated.
            if part.isEmpty, i > 0 { return isFunction }
            if part.allSatisfy(\.isDigit) || generated.contains(part) { continue }
            if i > 0 { out.append(UInt8(ascii: ".")) }
            out += part
            isFunction = i > 0 && part.first.map { $0.isLetter && $0 >= 0x60 } == true
        }
        return isFunction
    }

    private static func simplified(_ method: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var name = method.prefix { $0 != UInt8(ascii: "(") }
        if let prefix = prefixes.first(where: { name.begins(with: $0) }) { name = name.dropFirst(prefix.count) }
        let base = name.prefix { $0 != dollar && $0 != UInt8(ascii: "-") }
        return base.isEmpty ? name : base
    }

    private static let dollar = UInt8(ascii: "$")
    private static let prefixes = ["lambda$", "access$", "-$$Nest$m", "_get_", "_set_"].map { Array($0.utf8) }
    private static let generated = ["Lambda", "Proxy", "lambda", "inlined", "special"].map { Array($0.utf8)[...] }
    /// Methods by which a lambda's class is called.
    private static let calls = ["invoke", "invokeSuspend", "run", "call", "apply", "accept", "emit", "get", "onClick"].map { Array($0.utf8)[...] }
}
