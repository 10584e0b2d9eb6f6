// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import Platform

/// The address that mails come from, perhaps with a name.
///
///     Shop <no-reply@shop.example>     name Shop
///     no-reply@shop.example            no name
///     Shop <a@b.example> x             nil
package struct MailAddress: Sendable, Equatable {
    package let name: String
    package let address: String

    package init?(_ text: String) {
        guard text.utf8.count <= 512, !text.unicodeScalars.contains(where: \.isControl) else { return nil }
        let bytes = Array(text.utf8)
        guard let open = bytes.firstIndex(of: UInt8(ascii: "<")) else {
            guard MailEnvelope.isPlain(text) else { return nil }
            (name, address) = ("", text)
            return
        }
        guard bytes.last == UInt8(ascii: ">") else { return nil }
        address = String(decoding: bytes[(open + 1)..<(bytes.count - 1)], as: UTF8.self)
        var words = bytes[..<open]
        while words.last == 0x20 { words.removeLast() }
        name = String(decoding: words.drop { $0 == 0x20 }, as: UTF8.self)
        guard MailEnvelope.isPlain(address) else { return nil }
    }

    /// The part behind the `@`, for message IDs.
    var domain: Substring { address.utf8.firstIndex(of: UInt8(ascii: "@")).map { address[address.index(after: $0)...] } ?? "localhost" }
}
