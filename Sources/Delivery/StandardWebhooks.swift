// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Messaging
package import Platform

/// How a receiver knows that a delivery is ours: Standard Webhooks 1.0.0.
package enum StandardWebhooks {
    /// The three header fields of one attempt, signed under every key, the newest first; an id must have no dot.
    package static func fields(id: String, at time: Timestamp, body: [UInt8], keys: [SigningKey]) -> [(name: String, value: String)] {
        let seconds = String(time.milliseconds.flooredQuotient(by: 1_000))
        var content: [UInt8] = []
        content.reserveCapacity(id.utf8.count + seconds.utf8.count + 2 + body.count)
        content += id.utf8
        content.append(UInt8(ascii: "."))
        content += seconds.utf8
        content.append(UInt8(ascii: "."))
        content += body
        let signatures = keys.compactMap { $0.signature(of: content) }.joined(separator: " ")
        return [("webhook-id", id), ("webhook-timestamp", seconds), ("webhook-signature", signatures)]
    }
}

extension SigningKey {
    /// Nil for bytes that are no key of the scheme; none was read or made as such.
    fileprivate func signature(of content: [UInt8]) -> String? {
        switch scheme {
        case .symmetric: "v1,\(Base64.encode(HMACSHA256.authenticate(content, key: bytes)))"
        case .asymmetric: Ed25519.sign(content, seed: bytes).map { "v1a,\(Base64.encode($0))" }
        }
    }
}
