// SPDX-License-Identifier: Apache-2.0

/// A `Content-Encoding` that the server supports.
package enum ContentCoding: String, CaseIterable, Sendable {
    case identity, gzip, deflate, br, zstd

    /// Reads one token of the header field; nil for an unsupported coding. An empty one stands for none: sentry-ruby sends it with each
    /// body that it does not compress.
    package init?(token: String) {
        let name = token.lowercased()
        self.init(rawValue: name == "x-gzip" ? "gzip" : name.isEmpty ? "identity" : name)
    }
}

/// The reason why a body could not be decoded.
package enum DecodeError: Error, Sendable, Equatable {
    /// The decoded body exceeds the limit.
    case tooLarge
    /// The body is corrupt, truncated, or has trailing data.
    case malformed
}
