// SPDX-License-Identifier: Apache-2.0

/// The normalised host of a `Host` field, without port.
///
/// Example: `LocalHost.:8787` gives `localhost`, `[0:0::1]:80` gives `[::1]`. Requests trusted for coming from loopback must name a local
/// host, because a web page can resolve its own name to 127.0.0.1 (DNS rebinding).
package struct HostName: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the name always means this machine: `localhost` or a loopback address.
    package let isLoopback: Bool

    /// Parses `host`, `host:port`, `[address]` or `[address]:port`.
    package init?(header: String) {
        let bytes = Array(header.utf8)[...]
        let end: Int
        if bytes.first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            end = close + 1
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        }
        let rest = bytes[end...]
        guard rest.isEmpty || rest.first == UInt8(ascii: ":") && HostName.isPort(rest.dropFirst()) else { return nil }
        self.init(bytes: bytes[..<end])
    }

    /// Parses a host without a port, as in settings.
    package init?(_ text: String) {
        self.init(bytes: Array(text.utf8)[...])
    }

    private init?(bytes: ArraySlice<UInt8>) {
        if bytes.first == UInt8(ascii: "[") {
            guard bytes.last == UInt8(ascii: "]"), bytes.contains(UInt8(ascii: ":")) else { return nil }
            guard let address = IPAddress(String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)) else { return nil }
            self.init(address)
            return
        }
        let name = bytes.last == UInt8(ascii: ".") ? bytes.dropLast() : bytes
        guard HostName.isName(name) else { return nil }
        let text = String(decoding: name, as: UTF8.self).lowercased()
        if let address = IPAddress(text) {
            self.init(address)
        } else {
            self.init(description: text, isLoopback: text == "localhost")
        }
    }

    private init(_ address: IPAddress) {
        self.init(description: address.isV4 ? "\(address)" : "[\(address)]", isLoopback: address.isLoopback)
    }

    private init(description: String, isLoopback: Bool) {
        self.description = description
        self.isLoopback = isLoopback
    }

    /// Labels of letters, digits, hyphens and underscores with dots between them; at most 253 bytes.
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= 253 else { return false }
        return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.allSatisfy(isNameByte)
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
        default: false
        }
    }

    /// Whether a port is valid; RFC 3986 allows an empty one.
    private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count <= 5 && bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
