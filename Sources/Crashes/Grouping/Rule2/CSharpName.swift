// SPDX-License-Identifier: Apache-2.0

import Platform

/// A method of C# with its class, assembly and, if there is no namespace and the file is not named like the class, its file.
///
///     async Task<Receipt> Basket.PayAsync(Guid id)+(x) => { }      →  Basket.PayAsync
///     class `Shop.Basket+<PayAsync>d__12`, method `MoveNext`       →  Shop.Basket.PayAsync
///     class `Shop.Basket+<>c__DisplayClass5_0`, `<Pay>b__0`        →  Shop.Basket.Pay
///     Basket_Pay_m3E0C9A77                                         →  Basket.Pay, from IL2CPP
enum CSharpName {
    static func write(_ frame: StackFrame, to out: inout [UInt8]) -> Bool {
        let start = out.count
        let function = Array((frame.function ?? "").utf8)[...]
        let assembly = Array((frame.package ?? "").utf8).prefix { $0 != UInt8(ascii: ",") }
        out += assembly
        if out.count > start { out.append(UInt8(ascii: "!")) }
        if let module = frame.module, !module.isEmpty {
            writeType(Array(module.utf8)[...], to: &out)
        } else if let file = frame.file, !file.isEmpty, case let name = FilePath.name(of: file), !isOfClass(file: name, function) {
            out += name
            out.append(UInt8(ascii: ":"))
        }
        let isNamed = writeMethod(function, to: &out)
        if let local = localFunction(in: function) {
            out.append(UInt8(ascii: "."))
            out += local
        }
        while let last = out.last, out.count > start, last == UInt8(ascii: ".") || last == UInt8(ascii: ":") { out.removeLast() }
        return isNamed || frame.module.map { !$0.isEmpty } == true
    }

    /// Whether a file says no more than the class, as `Frame.cs` of `Frame.Decode` does. A build without symbols lacks files.
    private static func isOfClass(file: [UInt8], _ function: ArraySlice<UInt8>) -> Bool {
        let type = declared(function).prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "+") }
        return type.count == file.count && type.elementsEqual(file) { $0.lowercased == $1 }
    }

    /// Writes a class and a dot. A class that the compiler made for a method is replaced by the method.
    private static func writeType(_ type: ArraySlice<UInt8>, to out: inout [UInt8]) {
        for part in type.split(whereSeparator: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) {
            let name = part.first == UInt8(ascii: "<") ? enclosed(part) : part.prefix { $0 != UInt8(ascii: "`") && $0 != UInt8(ascii: "[") }
            if name.isEmpty { continue }
            out += name
            out.append(UInt8(ascii: "."))
        }
    }

    private static func writeMethod(_ function: ArraySlice<UInt8>, to out: inout [UInt8]) -> Bool {
        var name = function.first == UInt8(ascii: "<") ? function : declared(function)
        name = name.drop { $0 == UInt8(ascii: ".") }
        if name.first == UInt8(ascii: "<") { name = enclosed(name) } else { name = withoutGenerics(name) }
        name = withoutHash(name)
        if name.isEmpty || name.elementsEqual(moveNext) { return false }
        for byte in name { out.append(byte == UInt8(ascii: "+") ? UInt8(ascii: ".") : byte) }
        return true
    }

    /// Returns `Amount` of `Page Ledger.Read(Query query)+Amount(object cell)`. A lambda has no name there.
    private static func localFunction(in function: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let plus = function.lastIndex(of: UInt8(ascii: "+")), plus > function.startIndex, function[plus - 1] == UInt8(ascii: ")") else {
            return nil
        }
        let name = function[(plus + 1)...].prefix(while: \.isWord)
        return name.isEmpty ? nil : name
    }

    /// Returns the name in a declaration: `async Task<A, B> Basket.Pay(Guid id)` → `Basket.Pay`.
    private static func declared(_ function: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var (depth, begin) = (0, function.startIndex)
        for i in function.indices {
            switch function[i] {
            case UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ">"), UInt8(ascii: "]"): depth -= 1
            // A parenthesis behind a space opens a tuple, as in `(int, int) Basket.Pay()`.
            case UInt8(ascii: "(") where depth == 0 && i > begin: return function[begin..<i]
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: " ") where depth == 0 && i + 1 < function.endIndex && function[i + 1] != UInt8(ascii: "("):
                if function[i + 1] == UInt8(ascii: "{") { return function[begin..<i] }
                begin = i + 1
            case UInt8(ascii: " ") where depth == 0: return function[begin..<i]
            default: break
            }
        }
        return function[begin...]
    }

    /// Returns `Pay` of `<Pay>b__0_1` and `Pay` of `<Pay>g__Total|3_0`.
    private static func enclosed(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        name.dropFirst().prefix { $0 != UInt8(ascii: ">") }
    }

    private static func withoutGenerics(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        name.prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "`") }
    }

    /// Removes the hash that IL2CPP appends: `Basket_Pay_m3E0C9A77`.
    private static func withoutHash(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let mark = name.lastIndex(of: UInt8(ascii: "_")), name[mark...].dropFirst().first == UInt8(ascii: "m"),
            case let hash = name[(mark + 2)...], hash.count >= 8, hash.allSatisfy(\.isHexDigit)
        else { return name }
        return name[..<mark]
    }

    private static let moveNext = Array("MoveNext".utf8)
}
