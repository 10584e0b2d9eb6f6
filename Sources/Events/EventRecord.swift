// SPDX-License-Identifier: Apache-2.0

package import Platform

/// One valid event on its way from a door to the writer: keys, numbers and ranges, nothing of its own on the heap.
///
/// Texts stay in the submission's bytes; each comes with its key, made once where it was decoded.
package struct EventRecord: Sendable {
    /// The event's place in its request.
    package var index: UInt32
    package var kind: EventKind
    package var flags: EventFlags
    /// Into `EventSubmission.contexts`.
    package var context: UInt16

    package var time: Timestamp
    /// The id's key for deduplication; its text is `idText`, or where that is empty the UUID `uuid`.
    package var idKey: UInt64
    package var uuid: UUID128
    package var idText: ByteRange

    package var nameKey: UInt64
    package var name: ByteRange

    /// Keys are 0 where the event names nobody, no installation, no session.
    package var userKey: UInt64 = 0
    package var user: ByteRange = .none
    package var installationKey: UInt64 = 0
    package var installation: ByteRange = .none
    package var sessionKey: UInt64 = 0
    package var session: ByteRange = .none

    /// The parameters as the JSON object they came in, less what was corrected; empty for none.
    package var params: ByteRange = .none
    /// The whole event as it came, for quarantine.
    package var raw: ByteRange

    /// The screen's name for a screen view; the transaction's id for a purchase or refund.
    package var subjectKey: UInt64 = 0
    package var subject: ByteRange = .none
    /// Millionths of `currency`, for purchases and refunds that carry both.
    package var amount: Int64 = 0
    /// Three upper-case letters packed big-endian; 0 where the event is not revenue.
    package var currency: UInt32 = 0

    package init(
        index: UInt32, kind: EventKind, time: Timestamp, idKey: UInt64, uuid: UUID128, idText: ByteRange, nameKey: UInt64, name: ByteRange,
        context: UInt16, raw: ByteRange
    ) {
        self.index = index
        self.kind = kind
        self.flags = []
        self.context = context
        self.time = time
        self.idKey = idKey
        self.uuid = uuid
        self.idText = idText
        self.nameKey = nameKey
        self.name = name
        self.raw = raw
    }
}

/// What was noticed about an event while it was taken in; stored with it.
package struct EventFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// It came later than the app's lateness limit.
    package static let late = EventFlags(rawValue: 1)
    /// Its time lay too far ahead and was replaced by the time of receipt.
    package static let clock = EventFlags(rawValue: 2)
    /// It was stored with a change.
    package static let corrected = EventFlags(rawValue: 4)
}

/// The circumstances an event names, shared by all events of a request that name the same.
package struct EventContext: Sendable {
    package static let fields = ["platform", "app_version", "build", "os_version", "device_model", "locale", "country", "environment"]

    /// A key over all values; 0 where the context is empty.
    package var key: UInt64
    /// In the order of `fields`; empty ranges for what is not given.
    package var values: [ByteRange]

    package init(key: UInt64, values: [ByteRange]) {
        self.key = key
        self.values = values
    }

    package static let empty = EventContext(key: 0, values: [ByteRange](repeating: .none, count: fields.count))
}
