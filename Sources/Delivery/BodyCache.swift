/// The bodies of messages that are being sent, made once for all their receivers; of many messages only the newest are kept.
package struct BodyCache: Sendable {
    private static let most = 512

    private var bodies: [Int64: ReceiverBody] = [:]
    private var order: [Int64] = []

    package init() {}

    package func body(of message: Int64) -> ReceiverBody? { bodies[message] }

    package mutating func keep(_ body: ReceiverBody, of message: Int64) {
        guard bodies.updateValue(body, forKey: message) == nil else { return }
        order.append(message)
        guard order.count > 2 * BodyCache.most else { return }
        for old in order.prefix(BodyCache.most) { bodies[old] = nil }
        order.removeFirst(BodyCache.most)
    }
}
