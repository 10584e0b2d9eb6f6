// SPDX-License-Identifier: Apache-2.0

/// The few elements of DER that keys and signatures need: `DER.integer([200])` is `02 02 00 c8`.
enum DER {
    static let sequenceTag: UInt8 = 0x30
    static let bitStringTag: UInt8 = 0x03

    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        if content.count < 128 { length = [UInt8(content.count)] } else { length.insert(0x80 | UInt8(length.count), at: 0) }
        return [tag] + length + content
    }

    /// Encodes a number that is given by its bytes, the most significant first, in the shortest form.
    static func integer(_ magnitude: some Sequence<UInt8>) -> [UInt8] {
        var bytes = Array(magnitude.drop { $0 == 0 })
        if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
        return element(0x02, bytes)
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(sequenceTag, parts.flatMap(\.self)) }

    /// Encodes whole bytes as a bit string.
    static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(bitStringTag, [0] + bytes) }
}

/// DER as text between two marks, as in files of keys and certificates.
package enum PEM {
    private static let lineLength = 64

    /// - Parameter label: What it is, such as `CERTIFICATE`.
    package static func encode(_ der: [UInt8], _ label: String) -> String {
        let text = Array(Base64.encode(der).utf8)
        var out = "-----BEGIN \(label)-----\n"
        for start in stride(from: 0, to: text.count, by: lineLength) {
            out += String(decoding: text[start..<min(start + lineLength, text.count)], as: UTF8.self) + "\n"
        }
        return out + "-----END \(label)-----\n"
    }
}
