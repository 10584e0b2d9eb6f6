// SPDX-License-Identifier: Apache-2.0

/// The secret that signs an endpoint's deliveries, as in Standard Webhooks.
package struct SigningKey: Sendable, Equatable {
    package enum Scheme: Int, Sendable {
        /// `v1`: HMAC-SHA256 with a shared secret.
        case symmetric = 1
        /// `v1a`: Ed25519. The bytes are the private seed.
        case asymmetric = 2
    }

    package var scheme: Scheme
    package var bytes: [UInt8]

    package init(_ scheme: Scheme, _ bytes: [UInt8]) {
        self.scheme = scheme
        self.bytes = bytes
    }
}
