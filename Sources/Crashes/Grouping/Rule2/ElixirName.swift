// SPDX-License-Identifier: Apache-2.0

/// A function of Elixir with its module and arity; an anonymous function counts as the one that encloses it.
///
///     anonymous fn/1 in Shop.Cart.pay/2     →  Shop.Cart.pay/2
///     Shop.Cart.-pay/2-fun-0-/1             →  Shop.Cart.pay/2
///     Shop.Cart."-pay/2-lc$^0/1-0-"/2       →  Shop.Cart.pay/2
///     module `Elixir.Shop.Cart`, `pay/2`    →  Shop.Cart.pay/2
enum ElixirName {
    static func write(_ frame: StackFrame, to out: inout [UInt8]) -> Bool {
        var name = Array((frame.function ?? "").utf8)[...]
        if let end = end(of: inWord, in: name) { name = name[end...] }
        if name.begins(with: runtime) { name = name.dropFirst(runtime.count) }
        guard !name.isEmpty else { return false }
        if name.first.map({ $0.isLetter && $0 >= 0x60 }) == true, let module = frame.module {
            let module = Array(module.utf8)[...]
            out += module.begins(with: runtime) ? module.dropFirst(runtime.count) : module
            out.append(UInt8(ascii: "."))
        }
        guard let (dash, closure) = closures.lazy.compactMap({ closure in end(of: closure, in: name).map { ($0, closure) } }).first else {
            out += name
            return true
        }
        out += name[..<(dash - closure.count + 1)]
        let inner = name[dash...]
        out += end(of: behindClosure, in: inner).map { inner[..<($0 - behindClosure.count)] } ?? inner
        return true
    }

    /// Returns the place behind the first occurrence of a text.
    private static func end(of text: [UInt8], in name: ArraySlice<UInt8>) -> Int? {
        name.indices.first { name[$0] == text[0] && name[$0...].begins(with: text) }.map { $0 + text.count }
    }

    private static let inWord = Array(" in ".utf8)
    private static let runtime = Array("Elixir.".utf8)
    private static let closures = [".-", ".\"-"].map { Array($0.utf8) }
    private static let behindClosure = Array("-".utf8)
}
