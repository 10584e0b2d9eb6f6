// SPDX-License-Identifier: Apache-2.0

/// An Objective-C method, or the method that encloses a block.
///
///     -[Cart(Paying) add:]                            →  -[Cart add:]
///     __15-[Cart add:to:]_block_invoke.12             →  -[Cart add:to:]
enum ObjectiveCName {
    static func method(in name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let first = name.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") || first == UInt8(ascii: "_") else { return nil }
        let method = name.drop { $0 == UInt8(ascii: "_") }.drop(while: \.isDigit)
        guard let sign = method.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+"), method.dropFirst().first == UInt8(ascii: "["),
            let end = method.firstIndex(of: UInt8(ascii: "]"))
        else { return nil }
        return method[...end]
    }

    /// Writes the method without its category, since methods move between categories.
    static func write(_ method: ArraySlice<UInt8>, to out: inout [UInt8]) {
        guard let open = method.firstIndex(of: UInt8(ascii: "(")), let close = method[open...].firstIndex(of: UInt8(ascii: ")")) else {
            out += method
            return
        }
        out += method[..<open]
        out += method[(close + 1)...]
    }
}
