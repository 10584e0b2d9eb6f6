// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The URL of an app that a mail's link opens. Its origin must be one that the app lists, so a link cannot lead to strangers.
///
///     https://shop.example/welcome?a=1    with the list https://shop.example: accepted
///     https://shop.example@evil.example/  rejected, as any URL with a user, a backslash or a control character
package struct ContinueURL: Sendable, Equatable {
    private static let most = 1_024

    package let text: String

    /// - Parameter isDevelopment: Whether pages on this machine may be named too.
    package init?(_ text: String, origins: [OriginRule], isDevelopment: Bool) {
        guard (1...ContinueURL.most).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !ContinueURL.marks.contains($0) }),
            let origin = ContinueURL.origin(of: text)
        else { return nil }
        let isLocal = isDevelopment && ContinueURL.isLocal(origin)
        guard isLocal || origins.contains(where: { $0 != .any && $0.matches(origin) }) else { return nil }
        self.text = text
    }

    private static let marks = Array("\\\"'<>`{}|^".utf8)

    /// The scheme, host and port in the form of browsers; nil if the text is not a URL with plain ones.
    private static func origin(of text: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else { return nil }
        let authority = text.utf8.dropFirst(scheme.utf8.count).prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        let origin = scheme + String(decoding: authority, as: UTF8.self)
        return WebOrigin.isOne(origin) ? origin : nil
    }

    private static func isLocal(_ origin: String) -> Bool {
        ["http://localhost", "http://127.0.0.1", "http://[::1]"].contains { origin.hasSameBytes(as: $0) || origin.hasPrefix($0 + ":") }
    }

    /// Returns a URL with further parameters in its query, before a fragment.
    package static func adding(_ parameters: [(name: String, value: String)], to text: String) -> String {
        let bytes = Array(text.utf8)
        let fragment = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let (base, rest) = (String(decoding: bytes[..<fragment], as: UTF8.self), String(decoding: bytes[fragment...], as: UTF8.self))
        let query = parameters.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
        return base + (base.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + query + rest
    }
}
