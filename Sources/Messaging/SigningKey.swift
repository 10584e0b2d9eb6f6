// SPDX-License-Identifier: Apache-2.0

/// What a receiver's secret is and how it signs, after Standard Webhooks.
package struct SigningKey: Sendable, Equatable {
    package enum Scheme: Int, Sendable {
        /// `v1`: HMAC-SHA256 over a shared secret.
        case symmetric = 1
        /// `v1a`: Ed25519; the bytes are the private seed.
        case asymmetric = 2
    }

    package var scheme: Scheme
    package var bytes: [UInt8]

    package init(_ scheme: Scheme, _ bytes: [UInt8]) {
        self.scheme = scheme
        self.bytes = bytes
    }
}
