// SPDX-License-Identifier: Apache-2.0

/// A function of Go with its package, without the numbers of closures and type arguments.
///
///     package `acme/shop`, function `(*Cart).Pay.func1.2`   →  acme/shop.(*Cart).Pay
///     package `acme/shop`, function `Sum[...]`              →  acme/shop.Sum
enum GoName {
    static func write(_ frame: StackFrame, to out: inout [UInt8]) -> Bool {
        var name = Array((frame.function ?? "").utf8).prefix { $0 != UInt8(ascii: "[") }
        while let dot = name.lastIndex(of: UInt8(ascii: ".")), isGenerated(name[(dot + 1)...]) { name = name[..<dot] }
        if let dash = name.lastIndex(of: UInt8(ascii: "-")), name[dash...].elementsEqual(methodValue) { name = name[..<dash] }
        out += package(frame.module ?? "")
        // `func1` alone is a closure of the calling function.
        guard !name.isEmpty, !isGenerated(name) else { return false }
        if frame.module?.isEmpty == false { out.append(UInt8(ascii: ".")) }
        out += name
        return true
    }

    /// Returns the package without the folder in which a build keeps copies of others': `acme/shop/vendor/yaml.v3` → `yaml.v3`.
    private static func package(_ module: String) -> ArraySlice<UInt8> {
        let name = Array(module.utf8)[...]
        let folder = name.indices.last { name[$0] == vendor[0] && name[$0...].begins(with: vendor) }
        return folder.map { name[($0 + vendor.count)...] } ?? name
    }

    /// Whether a part of a name is a closure's: `func1`, `2`, `gowrap1`, `deferwrap2`.
    private static func isGenerated(_ part: ArraySlice<UInt8>) -> Bool {
        let word = part.prefix { !$0.isDigit }
        return part.count > word.count && part[word.endIndex...].allSatisfy(\.isDigit) && words.contains { word.elementsEqual($0) }
    }

    private static let vendor = Array("/vendor/".utf8)
    private static let words = ["", "func", "gowrap", "deferwrap"].map { Array($0.utf8) }
    private static let methodValue = Array("-fm".utf8)
}
