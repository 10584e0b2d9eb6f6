// SPDX-License-Identifier: Apache-2.0

/// A `Content-Encoding` the server can undo.
package enum ContentCoding: String, CaseIterable, Sendable {
    case identity, gzip, deflate, br, zstd

    /// Reads one token as it stands in the header; nil for a coding that is not spoken here.
    package init?(token: String) {
        let name = token.lowercased()
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }
}

/// Why a coded body did not become bytes.
package enum DecodeError: Error, Sendable, Equatable {
    /// More comes out of it than the limit allows.
    case tooLarge
    /// It is broken, cut short, or followed by something else.
    case malformed
}
