// SPDX-License-Identifier: Apache-2.0

import Crypto
import SignalboxDocumentModel

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Functions of rules that compute with bytes and places.
enum RuleEncoding {
    /// The mean radius of the earth in meters.
    private static let radius = 6_371_010.0

    /// The emulator's Base64: the alphabet of URLs, with padding.
    static func base64(_ bytes: [UInt8]) -> String {
        let (plus, slash) = (UInt8(ascii: "+"), UInt8(ascii: "/"))
        let text = Base64.encode(bytes).utf8.map { $0 == plus ? UInt8(ascii: "-") : $0 == slash ? UInt8(ascii: "_") : $0 }
        return String(decoding: text, as: UTF8.self)
    }
    static func hex(_ bytes: [UInt8]) -> String { Hex.encode(bytes).uppercased() }

    /// The distance of two places in meters, on a sphere.
    static func distance(_ a: GeoPoint, _ b: GeoPoint) -> Double {
        let radians = Double.pi / 180
        let (sinLatitude, sinLongitude) = (
            sin((b.latitude - a.latitude) * radians / 2), sin((b.longitude - a.longitude) * radians / 2)
        )
        let chord = sinLatitude * sinLatitude + cos(a.latitude * radians) * cos(b.latitude * radians) * sinLongitude * sinLongitude
        return 2 * radius * asin(min(1, chord.squareRoot()))
    }

    /// Writes a float with at least one digit behind the point, and with an exponent below 10^-3 and from 10^7 on.
    ///
    ///     1.0    0.001    1.0E-4    1.2345678E7    Infinity    NaN
    static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        if number == 0 || (1e-3..<1e7).contains(number.magnitude) { return number.description }
        let parts = number.description.split(separator: "e")
        let sign = number < 0 ? "-" : ""
        let digits = parts[0].filter(\.isNumber)
        let significant = digits.drop { $0 == "0" }
        let point = parts[0].firstIndex(of: ".").map { parts[0][..<$0].count { $0.isNumber } } ?? digits.count
        let exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) + point - 1 - (digits.count - significant.count)
        var fraction = String(significant.dropFirst())
        while fraction.last == "0" { fraction.removeLast() }
        return "\(sign)\(significant.first ?? "0").\(fraction.isEmpty ? "0" : fraction)E\(exponent)"
    }

    /// A cyclic redundancy check of 32 bits, whose polynomial has its bits reversed. The lowest byte comes first.
    static func checksum(_ bytes: [UInt8], polynomial: UInt32) -> [UInt8] {
        var value = UInt32.max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1 }
        }
        value = ~value
        return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
