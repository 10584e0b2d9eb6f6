// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The bodies of messages that are being sent, made once for all their receivers; of many messages only the newest are kept.
package struct BodyCache: Sendable {
    private static let most = 512

    private var bodies: [Int64: ReceiverBody] = [:]
    private var order: [Int64] = []

    package init() {}

    /// Nil too where it says that the message expires at another time.
    package func body(of message: Int64, expires: Timestamp) -> ReceiverBody? {
        bodies[message].flatMap { $0.expires == expires ? $0 : nil }
    }

    package mutating func keep(_ body: ReceiverBody, of message: Int64) {
        guard bodies.updateValue(body, forKey: message) == nil else { return }
        order.append(message)
        guard order.count > 2 * BodyCache.most else { return }
        for old in order.prefix(BodyCache.most) { bodies[old] = nil }
        order.removeFirst(BodyCache.most)
    }
}
