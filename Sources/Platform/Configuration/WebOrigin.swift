// SPDX-License-Identifier: Apache-2.0

/// A web origin as in the `Origin` field: scheme, host, and port unless it is the default: `https://shop.example`, `http://localhost:3000`.
package enum WebOrigin {
    /// Whether the text is in the form that browsers send; other spellings would never match.
    package static func isOne(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return false }
        let (scheme, place) = (text[..<colon], text[colon...].dropFirst(3))
        guard scheme.first?.isLowercase == true, scheme.utf8.allSatisfy({ isLowerCase($0) || "+-.".utf8.contains($0) }) else { return false }
        let hostEnd = place.hasPrefix("[") ? place.firstIndex(of: "]").map(place.index(after:)) : place.firstIndex(of: ":")
        let (host, rest) = (place[..<(hostEnd ?? place.endIndex)], place[(hostEnd ?? place.endIndex)...])
        return isHost(host) && (rest.isEmpty || rest.hasPrefix(":") && isPort(rest.dropFirst(), of: scheme))
    }

    /// Whether a server that is asked for `host`, the value of a `Host` field, is at the origin.
    ///
    ///     isServed("https://shop.example", at: "Shop.example:443")  →  true
    package static func isServed(_ origin: String, at host: String) -> Bool {
        guard isOne(origin), host.utf8.allSatisfy({ $0 < 0x80 }), let end = origin.firstRange(of: "://")?.upperBound else { return false }
        let host = host.lowercased()
        let port = origin.hasPrefix("https:") ? ":443" : origin.hasPrefix("http:") ? ":80" : ""
        return origin[end...].hasSameBytes(as: host) || (origin[end...] + port).hasSameBytes(as: host)
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host.hasPrefix("[") { return host.hasSuffix("]") && IPAddress(String(host.dropFirst().dropLast())) != nil }
        return !host.isEmpty && host.utf8.allSatisfy { isLowerCase($0) || "-._~".utf8.contains($0) }
    }

    private static func isPort(_ text: Substring, of scheme: Substring) -> Bool {
        guard let port = UInt16(text), port > 0, text == String(port) else { return false }
        return !(scheme == "https" && port == 443 || scheme == "http" && port == 80)
    }

    private static func isLowerCase(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
