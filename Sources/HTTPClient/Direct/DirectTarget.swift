// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A URL whose requests need no name lookup and no TLS: plain HTTP to a literal address.
///
///     http://127.0.0.1:8080/receipt?a=1   →   127.0.0.1, 8080, /receipt?a=1
///     http://functions:8080/, https://…   →   nil; libcurl carries these out
package struct DirectTarget: Sendable, Equatable {
    /// The end of a connection.
    package struct Origin: Hashable, Sendable {
        package var address: IPAddress
        package var port: UInt16
    }

    package let origin: Origin
    /// The value of the `Host` field.
    let host: String
    /// The path and query.
    let path: String

    package init?(_ url: String) {
        let scheme = "http://"
        guard url.utf8.count > scheme.utf8.count, url.prefix(scheme.count).lowercased() == scheme else { return nil }
        let rest = url.utf8.dropFirst(scheme.utf8.count)
        guard rest.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "\\") }) else { return nil }
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        guard let origin = DirectTarget.origin(String(Substring(rest[..<end]))) else { return nil }
        let target = String(Substring(rest[end...]))
        (self.origin, host) = (origin, String(Substring(rest[..<end])))
        path = target.utf8.first == UInt8(ascii: "/") ? target : "/" + target
    }

    /// Reads `127.0.0.1:8080` or `[::1]`.
    private static func origin(_ authority: String) -> Origin? {
        let isBracketed = authority.utf8.first == UInt8(ascii: "[")
        let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":"))
        let portStart = colon.flatMap { colon in authority[colon...].contains("]") ? nil : colon }
        let host = authority[..<(portStart ?? authority.endIndex)]
        let digits = portStart.map { authority[authority.index(after: $0)...] }
        guard let port = digits.map({ $0.utf8.first == UInt8(ascii: "+") ? nil : UInt16($0) }) ?? 80, port > 0 else { return nil }
        if isBracketed {
            guard host.hasSuffix("]"), let address = IPAddress(host.dropFirst().dropLast()), !address.isV4 else { return nil }
            return Origin(address: address, port: port)
        }
        guard let address = IPAddress(host), address.isV4 else { return nil }
        return Origin(address: address, port: port)
    }
}
