// SPDX-License-Identifier: Apache-2.0

/// A rule for web origins: one origin, all subdomains of a host, or any origin.
///
///     https://shop.example     matches  https://shop.example
///     https://*.shop.example   matches  https://eu.shop.example and https://a.eu.shop.example, not https://shop.example
///     *                        matches  every origin, also `null`
package enum OriginRule: Sendable, Equatable, CustomStringConvertible {
    case any
    case exactly(String)
    /// Origins that begin and end with the texts: `https://` and `.shop.example:8443`.
    case subdomains(scheme: String, domain: String)

    /// The longest origin that is compared or repeated in a response. Host names have at most 253 bytes.
    private static let longest = 512

    package init?(_ text: String) {
        guard OriginRule.isPlain(text) else { return nil }
        if text == "*" {
            self = .any
        } else if WebOrigin.isOne(text) {
            self = .exactly(text)
        } else {
            guard let star = text.firstRange(of: "://*.") else { return nil }
            let (scheme, domain) = ("\(text[..<star.lowerBound])://", "\(text[star.upperBound...])")
            guard domain.first.map({ $0 != "." && $0 != "[" }) == true, WebOrigin.isOne(scheme + domain) else { return nil }
            self = .subdomains(scheme: scheme, domain: "." + domain)
        }
    }

    package var description: String {
        switch self {
        case .any: "*"
        case .exactly(let origin): origin
        case .subdomains(let scheme, let domain): scheme + "*" + domain
        }
    }

    /// `origin` is the value of a header field, which may be any text.
    package func matches(_ origin: String) -> Bool {
        guard OriginRule.isPlain(origin) else { return false }
        switch self {
        case .any: return true
        case .exactly(let one): return one.hasSameBytes(as: origin)
        case .subdomains(let scheme, let domain):
            let name = origin.utf8.dropFirst(scheme.utf8.count).dropLast(domain.utf8.count)
            return !name.isEmpty && name.first != UInt8(ascii: ".") && "\(scheme)\(Substring(name))\(domain)".hasSameBytes(as: origin)
                && WebOrigin.isOne(origin)
        }
    }

    /// Whether the text has a length that is worth comparing, and only printable ASCII, where equal texts are equal bytes.
    private static func isPlain(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }
}
