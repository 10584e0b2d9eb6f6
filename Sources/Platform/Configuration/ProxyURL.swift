// SPDX-License-Identifier: Apache-2.0

/// The URL of a proxy for outgoing requests. Parsing is strict, and user name and password are never printed.
///
///     socks5h://10.0.0.9:1080
///     https://signalbox:secret@proxy.example:3128    described as https://•••@proxy.example:3128
///     socks5://10.0.0.9:1080                         rejected: names would be resolved by this machine
package struct ProxyURL: Hashable, Sendable, CustomStringConvertible {
    package enum Scheme: String, CaseIterable, Sendable {
        case http, https, socks5h
    }

    package static let mostBytes = 1_024

    package let scheme: Scheme
    package let host: HostName
    package let port: UInt16
    /// User name and password as written, percent-encoded.
    private let login: Secret?

    package init?(_ text: String) {
        guard text.utf8.count <= ProxyURL.mostBytes, let scheme = Scheme.allCases.first(where: { text.utf8.starts(with: "\($0)://".utf8) }) else {
            return nil
        }
        var rest = Array(text.utf8)[(scheme.rawValue.utf8.count + 3)...]
        if rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        var login: Secret?
        if let at = rest.firstIndex(of: UInt8(ascii: "@")) {
            guard ProxyURL.isLogin(rest[..<at]) else { return nil }
            login = Secret(String(decoding: rest[..<at], as: UTF8.self))
            rest = rest[(at + 1)...]
        }
        guard let colon = rest.lastIndex(of: UInt8(ascii: ":")), let port = ProxyURL.port(rest[(colon + 1)...]),
            let host = HostName(String(decoding: rest[..<colon], as: UTF8.self))
        else { return nil }
        (self.scheme, self.host, self.port, self.login) = (scheme, host, port, login)
    }

    package var hasLogin: Bool { login != nil }

    /// Whether user name and password go over a network without encryption.
    package var exposesLogin: Bool { hasLogin && scheme != .https && !host.isLoopback }

    /// The URL with user name and password.
    package var revealed: Secret { Secret("\(scheme)://\(login.map { $0.revealed + "@" } ?? "")\(host):\(port)") }

    package var description: String { "\(scheme)://\(login.map { "\($0)@" } ?? "")\(host):\(port)" }

    /// Whether the bytes are a user name, or one with a password: all but letters, digits and `-._~` is percent-encoded.
    private static func isLogin(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.first?.isEmpty == false && parts.allSatisfy(isEncoded)
    }

    private static func isEncoded(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: continue
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst(), let low = rest.popFirst(), isHex(high), isHex(low) else { return false }
                // libcurl ends a text at a zero byte.
                if high == 0x30, low == 0x30 { return false }
            default: return false
            }
        }
        return true
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    private static func port(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard digits.count <= 5, let first = digits.first, (0x31...0x39).contains(first), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt16(String(decoding: digits, as: UTF8.self))
    }
}
