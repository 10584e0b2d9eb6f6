// SPDX-License-Identifier: Apache-2.0

/// A method of Java, Kotlin or C# with its class, without the numbers that compilers generate.
///
///     class `Cart$1`, method `run`                →  Cart.run
///     class `Cart$$Lambda$12/0x0`, method `run`   →  Cart.run
///     class `Cart`, method `lambda$add$0`         →  Cart.add
enum ClassName {
    static func write(_ name: ArraySlice<UInt8>, of module: String?, to out: inout [UInt8]) {
        if let module, !module.isEmpty {
            write(type: module, to: &out)
            out.append(UInt8(ascii: "."))
        }
        out += name.begins(with: lambda) ? name.dropFirst(lambda.count).prefix { $0 != dollar } : name.prefix { $0 != UInt8(ascii: "(") }
    }

    private static func write(type: String, to out: inout [UInt8]) {
        let start = out.count
        for (i, part) in type.utf8.split(separator: dollar, omittingEmptySubsequences: false).enumerated() {
            // Two dollars start a name that the runtime generated.
            if part.isEmpty, i > 0 { return }
            if part.allSatisfy(\.isDigit) { continue }
            if out.count > start { out.append(dollar) }
            out += part
        }
    }

    private static let dollar = UInt8(ascii: "$")
    private static let lambda = Array("lambda$".utf8)
}
