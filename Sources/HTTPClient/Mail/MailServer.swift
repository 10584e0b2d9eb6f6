// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The mail server that takes all mails, and the credentials for it.
///
///     smtps://mail.example.org          TLS from the first byte, port 465
///     smtp://mail.example.org:587       STARTTLS, without which nothing is sent
///     smtp://localhost                  plain, because nothing leaves this machine
///     smtp://mail.example.org/shop.example   says EHLO shop.example
package struct MailServer: Sendable, Equatable {
    package let url: String
    /// Whether the connection must be encrypted. Only a server on this machine may do without.
    package let needsTLS: Bool
    package var user: String?
    package var password: Secret?
    /// A PEM file with the authorities to trust instead of the system's.
    package var authorities: String?
    package var timeout = Duration.seconds(60)

    /// Returns nil for anything but a URL with the scheme smtp or smtps, a host, and perhaps a port and the name to introduce oneself with.
    package init?(url: String) {
        let schemes = ["smtp://", "smtps://"]
        guard url.utf8.count <= 512, url.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            let scheme = schemes.first(where: { url.hasPrefix($0) })
        else { return nil }
        let parts = url.dropFirst(scheme.count).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let authority = parts.first, let host = MailServer.host(of: authority), parts.count == 1 || MailServer.isName(parts[1]) else {
            return nil
        }
        self.url = url
        needsTLS = scheme == "smtps://" || !["localhost", "127.0.0.1", "[::1]"].contains(host)
    }

    private static func host(of authority: Substring) -> Substring? {
        let isBracketed = authority.hasPrefix("[")
        let end = isBracketed ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : authority.firstIndex(of: ":") ?? authority.endIndex
        guard let end else { return nil }
        let (host, rest) = (authority[..<end], authority[end...])
        if rest.isEmpty { return isBracketed ? isAddress(host) ? host : nil : isName(host) ? host : nil }
        guard rest.hasPrefix(":"), rest.count <= 6, let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
        return isBracketed ? isAddress(host) ? host : nil : isName(host) ? host : nil
    }

    private static func isAddress(_ host: Substring) -> Bool { IPAddress(String(host.dropFirst().dropLast())) != nil }

    private static func isName(_ text: Substring) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."): true
                default: false
                }
            }
    }
}
