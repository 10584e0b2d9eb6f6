// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Messaging
package import Platform

/// The signatures of deliveries according to Standard Webhooks 1.0.0.
///
///     webhook-id: msg_1        webhook-timestamp: 1700000000        webhook-signature: v1,K5oZ…  v1a,hnO3…
///     signed content: "msg_1.1700000000.{body}"
package enum StandardWebhooks {
    /// Returns the three header fields of an attempt, signed with every key, the newest first. The ID must not contain a dot.
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
    /// Returns the signature; nil for bytes that are not a key of the scheme, which cannot occur.
    fileprivate func signature(of content: [UInt8]) -> String? {
        switch scheme {
        case .symmetric: "v1,\(Base64.encode(HMACSHA256.authenticate(content, key: bytes)))"
        case .asymmetric: Ed25519.sign(content, seed: bytes).map { "v1a,\(Base64.encode($0))" }
        }
    }
}
