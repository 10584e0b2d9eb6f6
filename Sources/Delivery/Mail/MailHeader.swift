// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform

/// A header field of a mail. Foreign text becomes encoded words, so it can neither end the field nor begin another.
///
///     Subject, Reset your password      Subject: Reset your password
///     Subject, Grüße\r\nBcc: x@y.z      Subject: =?UTF-8?B?R3LDvMOfZT8/QmNjOiB4QHkueg==?=
struct MailHeader: Sendable {
    /// The bytes of text in an encoded word, so that its line has at most 76 characters, also the first one.
    private static let wordBytes = 39
    private static let plainLength = 60

    let line: String

    /// A field with text that people read.
    init(_ name: StaticString, text: String) {
        line = "\(name): \(MailHeader.encoded(text))"
    }

    /// A field with an address that was checked, and a name.
    init(_ name: StaticString, _ address: MailAddress) {
        let words = address.name.isEmpty ? "" : MailHeader.encoded(address.name, asPhrase: true) + " "
        line = "\(name): \(words)<\(address.address)>"
    }

    /// A field with a value that this module made.
    init(_ name: StaticString, made value: String) {
        line = "\(name): \(value)"
    }

    private static func encoded(_ text: String, asPhrase: Bool = false) -> String {
        let scalars = text.unicodeScalars.filter { !$0.isBidirectionalControl }.map { $0.isControl || $0.isLineBreak ? "?" : $0 }
        let isPlain = scalars.count <= plainLength && scalars.allSatisfy { asPhrase ? isAtom($0) : $0.isASCII && $0 != "=" }
        if isPlain, scalars.first != " ", scalars.last != " " { return String(String.UnicodeScalarView(scalars)) }
        var (words, word) = ([[UInt8]](), [UInt8]())
        for scalar in scalars {
            let bytes = Array(String(scalar).utf8)
            if word.count + bytes.count > wordBytes {
                words.append(word)
                word = []
            }
            word += bytes
        }
        return (words + [word]).map { "=?UTF-8?B?\(Base64.encode($0))?=" }.joined(separator: "\r\n ")
    }

    private static func isAtom(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20, 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }
}
