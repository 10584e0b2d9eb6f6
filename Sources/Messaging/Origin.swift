// SPDX-License-Identifier: Apache-2.0

/// Whom a webhook talks to: scheme, host and port. Caps, rates and breakers are its.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
    package enum Scheme: String, Sendable {
        case http, https

        package var port: UInt16 { self == .http ? 80 : 443 }
    }

    package let scheme: Scheme
    /// In lower case; an IPv6 address without brackets.
    package let host: String
    package let port: UInt16

    init(_ scheme: Scheme, _ host: String, _ port: UInt16) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// `https://example.com:443`: one text, whatever was left out of the URL.
    package var description: String { "\(scheme.rawValue)://\(authority):\(port)" }

    /// As short as a URL has it: without a port where it is the scheme's own.
    var shortest: String { port == scheme.port ? "\(scheme.rawValue)://\(authority)" : description }

    private var authority: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }
}
