// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A valid event on its way from a decoder to the writer: keys, numbers and byte ranges, without heap allocations of its own.
///
/// Texts stay in the submission's bytes. The decoder computes the key of each text once.
package struct EventRecord: Sendable {
    /// The position of the event in its request.
    package var index: UInt32
    package var flags: EventFlags
    /// An index into `EventSubmission.contexts`.
    package var context: UInt16

    package var time: Timestamp
    /// The key of the ID for the dedupe index. The ID itself is `idText`, or `uuid` if that is empty.
    package var idKey: UInt64
    package var uuid: UUID128
    package var idText: ByteRange

    package var nameKey: UInt64
    package var name: ByteRange

    /// The key of the user ID. This and the following keys are 0 if the event has no such field.
    package var userKey: UInt64 = 0
    package var user: ByteRange = .none
    package var installationKey: UInt64 = 0
    package var installation: ByteRange = .none
    package var sessionKey: UInt64 = 0
    package var session: ByteRange = .none

    /// The parameters as the JSON object that was sent, minus corrected parts; empty for none.
    package var params: ByteRange = .none
    /// The whole event as sent, for the quarantine.
    package var raw: ByteRange

    /// The key of the screen name of a screen view, or of the transaction ID of a purchase or refund.
    package var subjectKey: UInt64 = 0
    package var subject: ByteRange = .none
    /// The amount in millionths of `currency`, for purchases and refunds that have both.
    package var amount: Int64 = 0
    /// Three upper-case letters, packed big-endian; 0 if the event is not revenue.
    package var currency: UInt32 = 0
    package var kind: EventKind

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

/// Findings about an event: those of validation, which are stored with it, and its standing as a purchase.
package struct EventFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The mark of an event that runs of functions led to.
    package init(depth: Int) {
        rawValue = UInt16(min(max(depth, 0), EventFlags.maximumDepth)) << EventFlags.depthShift
    }

    private static let maximumDepth = 15
    private static let depthShift = 8

    /// The number of runs of functions that led to the event, one by the other; 0 for none.
    package var depth: Int { Int(rawValue >> EventFlags.depthShift) & EventFlags.maximumDepth }

    /// The event arrived later than the app's lateness limit.
    package static let late = EventFlags(rawValue: 1)
    /// The event's time was too far in the future and was replaced by the time of receipt.
    package static let clock = EventFlags(rawValue: 2)
    /// The event was changed before it was stored.
    package static let corrected = EventFlags(rawValue: 4)
    /// A purchase or refund sent with a key that is not public.
    package static let trusted = EventFlags(rawValue: 8)
    /// A purchase that a trusted one has replaced. Readers set it; it is never stored.
    package static let withdrawn = EventFlags(rawValue: 16)

    /// The public names of the flags that are set.
    package var names: [String] {
        let all: [(EventFlags, String)] = [
            (.late, "late"), (.clock, "clock"), (.corrected, "corrected"), (.trusted, "trusted"), (.withdrawn, "withdrawn"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}

/// The context of an event. Events of a request with equal contexts share one value.
package struct EventContext: Sendable {
    package static let fields = ["platform", "app_version", "build", "os_version", "device_model", "locale", "country", "environment"]

    /// A key over all values; 0 for an empty context.
    package var key: UInt64
    /// The values in the order of `fields`; empty ranges for missing ones.
    package var values: [ByteRange]

    package init(key: UInt64, values: [ByteRange]) {
        self.key = key
        self.values = values
    }

    package static let empty = EventContext(key: 0, values: [ByteRange](repeating: .none, count: fields.count))
}
