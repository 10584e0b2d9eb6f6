// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// The rows of one commit in the writer's buffers' form, handed over whole, so a tail costs the writer nothing per event.
struct TailCommit: Sendable {
    let firstSeq: Int64
    let submissions: [EventSubmission]
    /// The number of `events` up to the end of each submission.
    let ends: [Int]
    let events: [DetailRows.Row]
    let quarantined: [QuarantineRows.Row]
    /// The numbers of rows that the same commit has withdrawn.
    private let withdrawn: Set<Int64>
    /// The number of records by app.
    let counts: [AppID: Int]
    /// The approximate memory in use, in bytes.
    let bytes: Int

    init(
        firstSeq: Int64, submissions: [EventSubmission], ends: [Int], events: [DetailRows.Row], quarantined: [QuarantineRows.Row],
        withdrawn: Set<Int64> = []
    ) {
        self.firstSeq = firstSeq
        self.submissions = submissions
        self.ends = ends
        self.events = events
        self.quarantined = quarantined
        self.withdrawn = withdrawn
        var counts: [AppID: Int] = [:]
        var bytes = events.count * MemoryLayout<DetailRows.Row>.stride
        for (place, submission) in submissions.enumerated() {
            let stored = ends[place] - (place > 0 ? ends[place - 1] : 0)
            if stored > 0 { counts[submission.app, default: 0] += stored }
            bytes += submission.bytesHeld
        }
        for row in quarantined {
            counts[AppID(rawValue: row.app), default: 0] += 1
            bytes += row.raw.count + row.envelope.count + row.verdict.message.utf8.count + MemoryLayout<QuarantineRows.Row>.stride
        }
        self.counts = counts
        self.bytes = bytes
    }

    var rowCount: Int { events.count + quarantined.count }
    var lastSeq: Int64 { firstSeq + Int64(rowCount) - 1 }

    /// Returns the index behind the last event of the submission that an event belongs to.
    func endOfSubmission(at row: Int) -> Int {
        ends[Int(events[row].submission)]
    }

    func submission(at row: Int) -> EventSubmission {
        submissions[Int(events[row].submission)]
    }

    func record(at row: Int) -> EventRecord {
        submission(at: row).records[Int(events[row].record)]
    }

    /// Returns the event at an index, with the same values as if read from the file.
    func event(at row: Int) -> StoredEvent {
        let submission = submission(at: row)
        let record = record(at: row)
        let seq = firstSeq + Int64(row)
        func text(_ key: UInt64, _ range: ByteRange) -> String? { key == 0 ? nil : submission.text(range) }
        return StoredEvent(
            seq: seq, id: submission.id(of: record), name: submission.text(record.name), time: record.time,
            received: submission.received, user: text(record.userKey, record.user), installation: text(record.installationKey, record.installation),
            session: text(record.sessionKey, record.session),
            context: submission.contexts[Int(record.context)].values.map { $0.isEmpty ? nil : submission.text($0) },
            params: record.params.isEmpty ? [] : Array(submission.bytes(record.params)),
            flags: withdrawn.contains(seq) ? record.flags.union(.withdrawn) : record.flags)
    }

    func quarantinedEvent(at row: Int) -> StoredQuarantine {
        let kept = quarantined[row - events.count]
        return StoredQuarantine(
            seq: firstSeq + Int64(row), received: Timestamp(milliseconds: kept.received), time: kept.time.map { Timestamp(milliseconds: $0) },
            id: kept.verdict.id, reason: kept.verdict.reason.rawValue, field: kept.verdict.field, message: kept.verdict.message,
            source: kept.source.rawValue, envelope: kept.envelope, raw: kept.raw)
    }
}
