import Messaging
import Platform
import SQLite

/// What a change to the messages' file may touch while its writer runs it.
final class MessageContext {
    let file: Connection
    let now: Timestamp
    let limits: MessageBounds
    /// Deliveries that came into a state, less those that left it.
    private(set) var counts: [CountKey: Int] = [:]
    /// Origins that got something to do, and when.
    private(set) var due: [Int64: Int64] = [:]
    /// New deliveries to streams, in the order of their numbers.
    private(set) var forStreams: [StreamNews] = []
    /// Whether deliveries are to be made or taken back, now or at some time.
    var leavesWork = false
    /// Whether an endpoint is to prove itself.
    var hasChallenges = false
    private let nextClaim: () -> Int64

    struct CountKey: Hashable {
        var message: Int64
        var state: DeliveryState
    }

    init(_ file: Connection, now: Timestamp, limits: MessageBounds, nextClaim: @escaping () -> Int64) {
        self.file = file
        self.now = now
        self.limits = limits
        self.nextClaim = nextClaim
    }

    /// A number that no claim had before.
    func newClaim() -> Int64 { nextClaim() }

    func count(_ number: Int = 1, of message: Int64, from old: DeliveryState? = nil, to new: DeliveryState) {
        if let old { counts[CountKey(message: message, state: old), default: 0] -= number }
        counts[CountKey(message: message, state: new), default: 0] += number
    }

    func isDue(_ origin: Int64, at time: Int64) {
        due[origin] = min(due[origin] ?? .max, time)
    }

    func isForStream(_ news: StreamNews) {
        forStreams.append(news)
    }

    /// Writes down what was counted, at the end of a change.
    func writeCounts() throws {
        let upsert = try file.statement(
            "INSERT INTO message_counts (message, state, count) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count")
        for (key, count) in counts where count != 0 {
            try upsert.run(.integer(key.message), .integer(key.state.rawValue), .integer(count))
        }
        counts = [:]
    }

    /// After a change that was not made.
    func forgetCounts() {
        counts = [:]
    }
}

/// A delivery that a reader of a stream may want to hear of at once.
package struct StreamNews: Sendable {
    package var registration: Int64
    package var delivery: Int64
    package var message: Int64
}
