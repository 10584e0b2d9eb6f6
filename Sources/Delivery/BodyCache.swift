// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The bodies of messages in delivery, built once for all endpoints. It keeps only those of the newest messages.
package struct BodyCache: Sendable {
    private static let most = 512

    private var bodies: [Int64: DeliveryBody] = [:]
    private var order: [Int64] = []

    package init() {}

    /// Returns the body; nil if it is missing or states another time of expiry.
    package func body(of message: Int64, expires: Timestamp) -> DeliveryBody? {
        bodies[message].flatMap { $0.expires == expires ? $0 : nil }
    }

    package mutating func keep(_ body: DeliveryBody, of message: Int64) {
        guard bodies.updateValue(body, forKey: message) == nil else { return }
        order.append(message)
        guard order.count > 2 * BodyCache.most else { return }
        for old in order.prefix(BodyCache.most) { bodies[old] = nil }
        order.removeFirst(BodyCache.most)
    }
}
