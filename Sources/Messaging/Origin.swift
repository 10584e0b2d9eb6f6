// SPDX-License-Identifier: Apache-2.0

/// The scheme, host and port of a webhook. In-flight limits, rates and breakers apply per origin.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
    package enum Scheme: String, Sendable {
        case http, https

        package var port: UInt16 { self == .http ? 80 : 443 }
    }

    package let scheme: Scheme
    /// The host in lower case. An IPv6 address has no brackets.
    package let host: String
    package let port: UInt16

    init(_ scheme: Scheme, _ host: String, _ port: UInt16) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// The complete text with the port: `https://example.com:443`.
    package var description: String { "\(scheme.rawValue)://\(authority):\(port)" }

    /// The text without the scheme's default port.
    package var shortDescription: String { port == scheme.port ? "\(scheme.rawValue)://\(authority)" : description }

    private var authority: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }
}
