// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import SQLite

/// Rows of `events`: the hot half of a commit's events, integers only.
final class EventRows: RowSource {
    struct Row {
        var app: Int64
        var name: UInt32
        var context: UInt32
        var time: Int64
        var received: Int64
        var user: UInt64
        var installation: UInt64
        var session: UInt64
        var flags: UInt16
        /// The part that the event has in its session. It is not stored.
        var mark: SessionMark
    }

    var firstSeq: Int64 = 0
    var rows: [Row] = []
    var rowCount: Int { rows.count }

    static let insert = """
        INSERT INTO events (seq, app, name, time, received, user, installation, session, context, flags)
        SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 FROM batch
        """

    func column(_ column: Int, row: Int, into cell: Cell) {
        switch column {
        case 0: cell.integer(firstSeq + Int64(row))
        case 1: cell.integer(rows[row].app)
        case 2: cell.integer(Int64(rows[row].name))
        case 3: cell.integer(rows[row].time)
        case 4: cell.integer(rows[row].received)
        case 5: cell.key(rows[row].user)
        case 6: cell.key(rows[row].installation)
        case 7: cell.key(rows[row].session)
        case 8: cell.integer(Int64(rows[row].context))
        default: cell.integer(Int64(rows[row].flags))
        }
    }
}

/// Rows of `details`: the cold half, IDs and parameters, read in place from the submissions' bytes.
final class DetailRows: RowSource {
    struct Row {
        var submission: Int32
        /// The event's index in its submission's records.
        var record: Int32
        var uuid: UUID128
        var id: ByteRange
        var params: ByteRange
        /// The index in `compressed`; -1 for parameters stored as received.
        var compressed: Int32
    }

    var firstSeq: Int64 = 0
    var submissions: [EventSubmission] = []
    /// The number of rows at the end of each submission.
    var ends: [Int] = []
    var rows: [Row] = []
    var compressed: [[UInt8]] = []
    var rowCount: Int { rows.count }

    static let insert = "INSERT INTO details (seq, id, params) SELECT c0, c1, c2 FROM batch"

    func column(_ column: Int, row: Int, into cell: Cell) {
        switch column {
        case 0: cell.integer(firstSeq + Int64(row))
        case 1: id(rows[row], into: cell)
        default: params(rows[row], into: cell)
        }
    }

    /// Adds a record of the last submission.
    func add(_ record: EventRecord, at place: Int) {
        let submission = submissions.count - 1
        var row = Row(
            submission: Int32(truncatingIfNeeded: submission), record: Int32(truncatingIfNeeded: place), uuid: record.uuid, id: record.idText,
            params: record.params, compressed: -1)
        if let small = StoredParams.compressed(submissions[submission].bytes(record.params)) {
            row.compressed = Int32(truncatingIfNeeded: compressed.count)
            compressed.append(small)
        }
        rows.append(row)
    }

    private func id(_ row: Row, into cell: Cell) {
        if row.id.isEmpty { cell.uuid(high: row.uuid.high, low: row.uuid.low) } else { text(row.id, of: row, into: cell) }
    }

    private func params(_ row: Row, into cell: Cell) {
        if row.compressed >= 0 {
            let bytes = compressed[Int(row.compressed)]
            cell.blob(bytes, 0..<bytes.count)
        } else if !row.params.isEmpty {
            text(row.params, of: row, into: cell)
        }
    }

    private func text(_ range: ByteRange, of row: Row, into cell: Cell) {
        switch range.source {
        case .body: cell.text(submissions[Int(row.submission)].body, range.range)
        case .arena: cell.text(submissions[Int(row.submission)].arena, range.range)
        }
    }

    func removeAll() {
        submissions.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        rows.removeAll(keepingCapacity: true)
        compressed.removeAll(keepingCapacity: true)
    }
}

/// Rows of `purchases`: purchases and refunds, under the numbers of their events.
final class PurchaseRows: RowSource {
    struct Row {
        /// The index in the commit's events.
        var event: Int
        var app: Int64
        var kind: EventKind
        var transaction: UInt64
        var amount: Int64
        var currency: UInt32
    }

    var firstSeq: Int64 = 0
    var rows: [Row] = []
    var rowCount: Int { rows.count }

    static let insert = """
        INSERT INTO purchases (seq, app, kind, transaction_key, amount, currency) SELECT c0, c1, c2, c3, c4, c5 FROM batch
        """

    func column(_ column: Int, row: Int, into cell: Cell) {
        switch column {
        case 0: cell.integer(firstSeq + Int64(rows[row].event))
        case 1: cell.integer(rows[row].app)
        case 2: cell.integer(Int64(rows[row].kind.rawValue))
        case 3: cell.key(rows[row].transaction)
        case 4: cell.integer(rows[row].amount)
        default: cell.integer(Int64(rows[row].currency))
        }
    }
}
