// SPDX-License-Identifier: Apache-2.0

/// Reads a mangled Rust name of the v0 scheme (RFC 2603) and writes its readable form, without hashes.
///
///     _RNvNtCs1234_7mycrate3foo3bar          →  mycrate::foo::bar
///     _RNCNvC7mycrate4main0                  →  mycrate::main::{closure#0}
///     _RINvC7mycrate3maxjE                   →  mycrate::max::<usize>
///
/// A back reference repeats an earlier part, so a short name can describe an endless one. Limits of output, depth and steps end it.
package struct RustName {
    private static let longest = 64 << 10
    private static let deepest = 300
    /// The limit of steps, so that the work is proportional to the name. Names of real programs take fewer than 10.
    private static let stepsPerByte = 64

    private static let largest: UInt64 = 1 << 62

    /// The name between its prefix and a vendor's suffix. Back references count from its start.
    let text: [UInt8]
    var place = 0
    /// The number of lifetimes that the enclosing `for<…>` introduce.
    var boundLifetimes = 0
    private var out: [UInt8] = []
    private var depth = 0
    private var stepsLeft: Int
    /// Whether the current part is only skipped. Back references are not followed then.
    var isSkipping = false

    /// Returns the readable form; nil if the name is invalid or exceeds a limit.
    package static func readable(_ mangled: String) -> String? {
        guard let text = body(of: mangled) else { return nil }
        var name = RustName(text: text)
        do throws(RustNameError) { return try name.read() } catch { return nil }
    }

    /// Whether the name begins like a Rust name of this scheme. Apple's systems add an underscore.
    static func isMangled(_ name: String) -> Bool { prefixCount(name.utf8) != nil }

    private static func prefixCount(_ name: String.UTF8View) -> Int? {
        for prefix in ["_R", "__R"] where name.starts(with: prefix.utf8) {
            let count = prefix.utf8.count
            // A digit would be the version of a later scheme.
            if let tag = name.dropFirst(count).first, "CMXYNIB".utf8.contains(tag) { return count }
        }
        return nil
    }

    /// Returns the name without its prefix and a vendor's suffix, as `.llvm.1234`.
    private static func body(of mangled: String) -> [UInt8]? {
        guard let count = prefixCount(mangled.utf8) else { return nil }
        let text = mangled.utf8.dropFirst(count).prefix { $0 != 0x2e && $0 != 0x24 }
        guard text.allSatisfy({ $0 == 0x5f || (0x30...0x39).contains($0) || (0x61...0x7a).contains($0 | 0x20) }) else { return nil }
        return Array(text)
    }

    private init(text: [UInt8]) {
        self.text = text
        stepsLeft = RustName.stepsPerByte * text.count
    }

    private mutating func read() throws(RustNameError) -> String? {
        try path(isValue: true)
        // The crate that a generic function was compiled in.
        isSkipping = true
        if place < text.count { try path(isValue: false) }
        guard place == text.count, !out.isEmpty else { return nil }
        return String(decoding: out, as: UTF8.self)
    }

    // MARK: Bytes

    mutating func tag() throws(RustNameError) -> Unicode.Scalar {
        guard place < text.count else { throw RustNameError() }
        place += 1
        return Unicode.Scalar(text[place - 1])
    }

    /// Skips the tag if it is next.
    mutating func skip(_ tag: Unicode.Scalar) -> Bool {
        guard place < text.count, Unicode.Scalar(text[place]) == tag else { return false }
        place += 1
        return true
    }

    /// Takes as many bytes.
    mutating func take(_ count: Int) throws(RustNameError) -> ArraySlice<UInt8> {
        guard count <= text.count - place else { throw RustNameError() }
        place += count
        return text[place - count..<place]
    }

    /// Reads a number in base 62: `_` is 0, `0_` is 1, `Z_` is 62, `10_` is 63. Hashes have 64 bits; those above `largest` become it.
    mutating func number() throws(RustNameError) -> Int {
        if skip("_") { return 0 }
        var value: UInt64 = 0
        repeat {
            guard let digit = RustName.digit(try tag()) else { throw RustNameError() }
            let (product, overflow) = value.multipliedReportingOverflow(by: 62)
            guard !overflow, product < .max - digit else { throw RustNameError() }
            value = product + digit
        } while !skip("_")
        return Int(min(value + 1, RustName.largest))
    }

    private static func digit(_ tag: Unicode.Scalar) -> UInt64? {
        switch tag {
        case "0"..."9": UInt64(tag.value) - 0x30
        case "a"..."z": UInt64(tag.value) - 0x61 + 10
        case "A"..."Z": UInt64(tag.value) - 0x41 + 36
        default: nil
        }
    }

    /// Reads a number that follows a tag; 0 without the tag.
    mutating func number(after tag: Unicode.Scalar) throws(RustNameError) -> Int { skip(tag) ? try number() + 1 : 0 }

    // MARK: Output and limits

    mutating func write(_ text: String) throws(RustNameError) { try write(bytes: text.utf8) }

    mutating func write(bytes: some Collection<UInt8>) throws(RustNameError) {
        guard !isSkipping else { return }
        guard bytes.count <= RustName.longest - out.count else { throw RustNameError() }
        out.append(contentsOf: bytes)
    }

    /// Begins a part, within the limits.
    mutating func enter() throws(RustNameError) {
        guard depth < RustName.deepest, stepsLeft > 0 else { throw RustNameError() }
        stepsLeft -= 1
        depth += 1
    }

    mutating func leave() { depth -= 1 }

    /// Goes to the earlier part that a back reference stands for, whose tag is already read. Returns the place to continue at after
    /// that part; nil if it is only skipped.
    mutating func jump() throws(RustNameError) -> Int? {
        let start = place - 1
        let target = try number()
        guard target < start else { throw RustNameError() }
        guard !isSkipping else { return nil }
        defer { place = target }
        return place
    }

    /// Whether a list has another part, before which it writes the separator. The tag `E` ends a list.
    mutating func hasNext(after count: inout Int, separator: String = ", ") throws(RustNameError) -> Bool {
        if skip("E") { return false }
        if count > 0 { try write(separator) }
        count += 1
        return true
    }
}

/// A name that is invalid or exceeds a limit.
struct RustNameError: Error {}
