// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// An error that prevents an event from being counted.
struct EntryError: Error {
    var reason: Reason
    var field: String
    var message: String

    init(_ reason: Reason, _ field: String, _ message: String) {
        self.reason = reason
        self.field = field
        self.message = message
    }
}

/// The keys of the user and installation of a quarantined event: 0 for none, nil if unreadable.
struct NamedKeys {
    var user: UInt64?
    var installation: UInt64?
}

/// Collects the verdicts on the events of a request in their order.
struct VerdictLog {
    private struct Entry {
        var index: Int
        var id: ByteRange
        var fault: EntryError
        var raw: ByteRange = .none
        var time: Timestamp?
        var named = NamedKeys()
    }

    private var corrections: [Entry] = []
    private var quarantined: [Entry] = []
    /// The index of the event being read; `mark` is the number of corrections before it.
    private var index = 0
    private var mark = 0
    /// The ID of the event being read. It becomes a string only if there is a verdict.
    var id = ByteRange.none
    private(set) var isCorrected = false

    mutating func begin(_ index: Int) {
        self.index = index
        id = .none
        mark = corrections.count
        isCorrected = false
    }

    /// Whether the response lists a further correction of the event being read. Callers skip the texts of corrections that are not listed.
    var listsMore: Bool { corrections.count - mark < FixedLimits.verdictsPerEvent }

    /// Adds a correction. Its texts are evaluated only if it is listed.
    mutating func correct(_ reason: Reason, _ field: @autoclosure () -> String, _ message: @autoclosure () -> String) {
        isCorrected = true
        guard listsMore else { return }
        corrections.append(Entry(index: index, id: id, fault: EntryError(reason, field(), message())))
    }

    /// Quarantines the event and drops its corrections.
    mutating func quarantine(_ fault: EntryError, raw: ByteRange, time: Timestamp?, named: NamedKeys = NamedKeys()) {
        corrections.removeSubrange(mark...)
        quarantined.append(Entry(index: index, id: id, fault: fault, raw: raw, time: time, named: named))
    }

    func corrections(in source: SourceText) -> [Verdict] {
        corrections.map { verdict($0, .corrected, source) }
    }

    func quarantined(in source: SourceText) -> [QuarantinedEvent] {
        quarantined.map {
            QuarantinedEvent(
                verdict: verdict($0, .quarantined, source), raw: $0.raw, time: $0.time, user: $0.named.user, installation: $0.named.installation)
        }
    }

    private func verdict(_ entry: Entry, _ result: Verdict.Result, _ source: SourceText) -> Verdict {
        var id: String?
        if !entry.id.isEmpty {
            let uuid = source.with(entry.id) { UUID128($0) }
            id = uuid.map { String(decoding: $0.text, as: UTF8.self) } ?? source.string(entry.id)
        }
        let fault = entry.fault
        return Verdict(index: entry.index, id: id, result: result, reason: fault.reason, field: fault.field, message: fault.message)
    }
}
