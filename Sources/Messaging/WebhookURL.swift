// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The URL of a webhook: absolute, http or https, in a normalized form. Parsing is strict, so that no other parser can read it differently.
///
///     HTTPS://Example.com:443/hook  →  https://example.com/hook
///     http://2130706433/            →  rejected: a number is not a host name
///
/// Private addresses are not checked here. The sender checks the addresses to which a name resolves.
package struct WebhookURL: Hashable, Sendable {
    package static let mostBytes = 2_048

    /// The URL with scheme and host in lower case, without the default port, and with a path.
    package let text: String
    package let origin: Origin

    package init(_ text: String) throws(Refusal) {
        guard text.utf8.count <= WebhookURL.mostBytes else {
            throw WebhookURLReader.fault("too_long", "may have at most \(WebhookURL.mostBytes) bytes")
        }
        guard let scheme = WebhookURLReader.scheme(text) else {
            throw WebhookURLReader.fault(
                "unsupported_scheme", "must begin with https:// or http://", hint: "Use a complete URL such as https://example.com/hook.")
        }
        let rest = Array(text.utf8.dropFirst(scheme.rawValue.utf8.count + 3))
        let end = rest.firstIndex { "/?#\\".utf8.contains($0) } ?? rest.count
        origin = try WebhookURLReader.origin(scheme, rest[..<end])
        let target = try WebhookURLReader.target(rest[end...])
        self.text = origin.shortDescription + target
    }
}

/// Reads the parts of a URL (RFC 3986), each with its own errors.
private enum WebhookURLReader {
    static func fault(_ code: String, _ problem: String, hint: String? = nil) -> Refusal {
        .field("endpoint.url", code, problem, hint: hint)
    }

    static func scheme(_ text: String) -> Origin.Scheme? {
        let start = text.utf8.prefix(8).map(\.lowercased)
        return start.starts(with: "https://".utf8) ? .https : start.starts(with: "http://".utf8) ? .http : nil
    }

    static func origin(_ scheme: Origin.Scheme, _ authority: ArraySlice<UInt8>) throws(Refusal) -> Origin {
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw fault("userinfo", "must not contain a user name or password", hint: "Verify the signature, or put a secret into the path.")
        }
        let (written, digits) = split(authority)
        // Without digits there is no port; digits that are not a number are an error.
        guard let port = digits.map(port) ?? scheme.port else { throw fault("bad_port", "must have a port from 1 to 65535") }
        return Origin(scheme, try host(written), port)
    }

    /// Splits at the last colon outside brackets.
    private static func split(_ authority: ArraySlice<UInt8>) -> (host: ArraySlice<UInt8>, port: ArraySlice<UInt8>?) {
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")), !authority[colon...].contains(UInt8(ascii: "]")) else {
            return (authority, nil)
        }
        return (authority[..<colon], authority[(colon + 1)...])
    }

    private static func port(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard let first = digits.first, (0x31...0x39).contains(first) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self))
    }

    private static func host(_ written: ArraySlice<UInt8>) throws(Refusal) -> String {
        guard !written.isEmpty else { throw fault("bad_host", "must have a host") }
        if written.first == UInt8(ascii: "["), written.last == UInt8(ascii: "]") {
            let address = String(decoding: written.dropFirst().dropLast(), as: UTF8.self)
            guard address.utf8.contains(UInt8(ascii: ":")), let address = IPAddress(address) else {
                throw fault("bad_host", "must have an IPv6 address in its brackets")
            }
            return address.description
        }
        return try name(written.map(\.lowercased))
    }

    private static func name(_ bytes: [UInt8]) throws(Refusal) -> String {
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard bytes.count <= 253, labels.allSatisfy(isLabel) else {
            throw fault("bad_host", "must have a host name of letters, digits, hyphens and dots", hint: "Use the xn-- form of international names.")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        // Some parsers read 127.1, 0x7f.1 and 2130706433 as addresses, others as names.
        guard IPAddress(text) != nil || !labels.suffix(1).allSatisfy(isNumber) else {
            throw fault("bad_host", "must have an IPv4 address of four decimal numbers", hint: "Use the form 192.0.2.1 without leading zeros.")
        }
        return text
    }

    /// Whether the text is a label. Underscores are not allowed in host names, but container networks use them.
    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
            && label.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }

    private static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
        label.starts(with: "0x".utf8) || label.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Returns the path and query unchanged. A missing path becomes `/`.
    static func target(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> String {
        guard !bytes.contains(UInt8(ascii: "#")) else {
            throw fault("fragment", "must not have a fragment", hint: "Remove the # and everything after it.")
        }
        guard bytes.allSatisfy(isOfTarget), hasWholeEscapes(bytes) else {
            throw fault("bad_character", "must percent-encode special characters in its path and query", hint: "Encode a space as %20.")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return bytes.first == UInt8(ascii: "/") ? text : "/" + text
    }

    private static func isOfTarget(_ byte: UInt8) -> Bool {
        (0x21...0x7e).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
    }

    private static func hasWholeEscapes(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.indices.allSatisfy { index in
            bytes[index] != UInt8(ascii: "%") || bytes[(index + 1)...].prefix(2).count { Character(Unicode.Scalar($0)).isHexDigit } == 2
        }
    }
}
