// SPDX-License-Identifier: Apache-2.0

import Crashes
import Symbols

/// Symbol files of every format. Inspection never traps, and an accepted file has objects.
enum SymbolFiles {
    /// The build of formats without an ID.
    private static let id = DebugID("8a5e1f3c-0b7d-4c56-9d1f-2b6f0e7a9c34")

    static func run(_ bytes: [UInt8]) {
        guard let file = try? SymbolFile.inspect(bytes: bytes, for: id) else { return }
        accepted()
        require(!file.objects.isEmpty, "a symbol file without symbols")
        require(file.objects.allSatisfy { DebugID($0.debugID.text) == $0.debugID }, "an id that is not read as it is written")
        require((try? SymbolFile.inspect(bytes: bytes, for: id)) == file, "looked different the second time")
    }
}

/// Breakpad texts. Their content is looked up as addresses.
enum SymbolTexts {
    static func run(_ bytes: [UInt8]) {
        guard let index = try? BreakpadIndex(bytes: bytes) else { return }
        accepted()
        let words = bytes.split { $0 == 0x20 || $0 == 0x0a }.prefix(32).compactMap { UInt64(String(decoding: $0, as: UTF8.self), radix: 16) }
        for address in words + [.max] {
            guard let places = try? index.places(address) else { return require(false, "bytes in memory that cannot be read") }
            require(places.count <= 65, "deeper than the limit")
            require(places.allSatisfy { !$0.function.isEmpty }, "a function without a name")
        }
    }
}

/// Demangled names. The short form is a name and not longer.
enum SwiftNames {
    static func run(_ bytes: [UInt8]) {
        guard let name = String(validating: bytes, as: UTF8.self) else { return }
        accepted()
        let short = DemangledSwiftName.short(name)
        require(short.isEmpty == name.isEmpty, "a name was lost")
        require(short.utf8.count <= 2 * name.utf8.count, "a name has grown")
    }
}

/// Mangled Rust names of both schemes. A readable form is bounded and the same each time.
enum RustNames {
    static func run(_ bytes: [UInt8]) {
        guard let name = String(validating: bytes, as: UTF8.self) else { return }
        if let text = LegacyRustName.readable(name) { require(text.utf8.count <= name.utf8.count, "an older name has grown") }
        guard let text = RustName.readable(name) else { return }
        accepted()
        require(!text.isEmpty && text.utf8.count <= 64 << 10, "a name of \(text.utf8.count) bytes")
        require(RustName.readable(name) == text, "a name read differently the second time")
    }
}
