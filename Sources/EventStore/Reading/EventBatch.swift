// SPDX-License-Identifier: Apache-2.0

package import Events
package import Platform

/// A reader of one file's events in batches. Queries, SQL, export, tail and erasure read events through it, so they do not depend on the
/// form of the file.
package protocol EventSource: AnyObject {
    /// Replaces a batch by the next one; returns false at the end. A batch is filled by one source only, because its codes are the source's.
    func next(into batch: inout EventBatch) throws -> Bool
}

extension EventSource {
    /// Calls a closure with each batch.
    package func eachBatch(_ body: (EventBatch) throws -> Void) throws {
        var batch = EventBatch()
        while try next(into: &batch) { try body(batch) }
    }
}

/// Some events as columns. Only requested columns are filled, and all filled ones have `count` elements.
///
///     seqs       17        18        21
///     times      10:00:01  10:00:01  10:00:04
///     users      a         b         a
///     codes      1         0         1          of the value of the requested field
///     values     ["pro"]
///     passed     0b01      0b10      0b01
package struct EventBatch: Sendable {
    /// The number of events at most: few enough to stay in the processor's cache.
    package static let capacity = 1_024
    /// The size of IDs and parameters at which a batch ends.
    static let byteLimit = 1 << 20

    package internal(set) var count = 0
    package internal(set) var seqs: [Int64] = []
    /// The number of each event's name in its file.
    package internal(set) var names: [Int64] = []
    package internal(set) var times: [Int64] = []
    package internal(set) var received: [Int64] = []
    package internal(set) var users: [UInt64] = []
    package internal(set) var installations: [UInt64] = []
    package internal(set) var sessions: [UInt64] = []
    /// The number of each event's context in its file.
    package internal(set) var contexts: [Int64] = []
    package internal(set) var flags: [EventFlags] = []
    /// UUIDs in lower case, or IDs as received.
    package internal(set) var ids: [[UInt8]] = []
    /// JSON objects; empty for none.
    package internal(set) var params: [[UInt8]] = []
    package internal(set) var purchases: [Purchase?] = []
    /// The results of the request's tests, one bit each.
    package internal(set) var passed: [UInt32] = []
    /// The requested parameter's number; nil for none.
    package internal(set) var numbers: [Double?] = []
    /// The number, plus one, of the requested field's value in `values`; 0 for none.
    package internal(set) var codes: [UInt32] = []
    /// The values that the source has returned so far. It only grows, so codes stay valid.
    package internal(set) var values = ValueTable()
    /// The size of IDs and parameters.
    var bytes = 0

    package struct Purchase: Sendable {
        package var isRefund: Bool
        package var amount: Int64
        /// Three letters packed into a number; 0 if the amount is unknown.
        package var currency: Int64

        package init(isRefund: Bool, amount: Int64, currency: Int64) {
            self.isRefund = isRefund
            self.amount = amount
            self.currency = currency
        }
    }

    package init() {}

    package var rows: Range<Int> { 0..<count }

    /// Flags the last event, if the batch has flags.
    mutating func markWithdrawn() {
        if let last = flags.indices.last { flags[last].insert(.withdrawn) }
    }

    /// Removes the events. The storage and the values stay.
    mutating func removeAll() {
        count = 0
        bytes = 0
        seqs.removeAll(keepingCapacity: true)
        names.removeAll(keepingCapacity: true)
        times.removeAll(keepingCapacity: true)
        received.removeAll(keepingCapacity: true)
        users.removeAll(keepingCapacity: true)
        installations.removeAll(keepingCapacity: true)
        sessions.removeAll(keepingCapacity: true)
        contexts.removeAll(keepingCapacity: true)
        flags.removeAll(keepingCapacity: true)
        ids.removeAll(keepingCapacity: true)
        params.removeAll(keepingCapacity: true)
        purchases.removeAll(keepingCapacity: true)
        passed.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        codes.removeAll(keepingCapacity: true)
    }

    /// Adds a crash, which is not a stored event, for the division of crashes and events into sessions.
    package mutating func add(time: Int64, user: UInt64, installation: UInt64, session: UInt64, value: [UInt8]?) throws(Refusal) {
        times.append(time)
        users.append(user)
        installations.append(installation)
        sessions.append(session)
        codes.append(try values.code(of: value))
        count += 1
    }
}
