// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import SQLite

/// Rows of `ids`: the texts of keys seen for the first time.
package final class IDRows: RowSource {
    package enum Kind: Int64 {
        case user = 1
        case installation = 2
        case session = 3
    }

    struct Row {
        var key: UInt64
        var app: Int64
        var kind: Kind
        var text: [UInt8]
    }

    var rows: [Row] = []
    var rowCount: Int { rows.count }

    static let insert = "INSERT INTO ids (key, app, kind, id) SELECT c0, c1, c2, c3 FROM batch"

    func column(_ column: Int, row: Int, into cell: Cell) {
        switch column {
        case 0: cell.key(rows[row].key)
        case 1: cell.integer(rows[row].app)
        case 2: cell.integer(rows[row].kind.rawValue)
        default: cell.text(rows[row].text, 0..<rows[row].text.count)
        }
    }
}

/// Rows of `presence`: sightings that are not stored yet.
final class ActiveRows: RowSource {
    struct Row {
        var entry: ActiveQuarters.Entry
        var bits: ActiveQuarters.Bits
    }

    var rows: [Row] = []
    var rowCount: Int { rows.count }

    static let insert = """
        INSERT INTO presence (app, day, installation, user, early, late) SELECT c0, c1, c2, c3, c4, c5 FROM batch
        """

    func column(_ column: Int, row: Int, into cell: Cell) {
        switch column {
        case 0: cell.integer(rows[row].entry.app)
        case 1: cell.integer(Int64(rows[row].entry.day))
        case 2: cell.key(rows[row].entry.installation)
        case 3: cell.key(rows[row].entry.user)
        case 4: cell.key(rows[row].bits.early)
        default: cell.key(rows[row].bits.late)
        }
    }
}

/// Rows of `rollups`: the sums of a commit, added to the stored ones.
final class RollupRows: RowSource {
    var tally = RollupTally()
    var rowCount: Int { tally.sums.count }

    // `WHERE true` keeps the parser from reading ON as part of a join. An overflowing sum becomes a float, which the cast turns into the
    // largest integer, so a hostile amount cannot fail a commit.
    static let insert = """
        INSERT INTO rollups (app, metric, grain, bucket, word, count, amount)
        SELECT c0, c1, c2, c3, c4, c5, c6 FROM batch WHERE true
        ON CONFLICT DO UPDATE SET count = count + excluded.count, amount = CAST(amount + excluded.amount AS INTEGER)
        """

    func column(_ column: Int, row: Int, into cell: Cell) {
        let sum = tally.sums[row]
        switch column {
        case 0: cell.integer(sum.app)
        case 1: cell.integer(sum.metric.rawValue)
        case 2: cell.integer(sum.grain.rawValue)
        case 3: cell.integer(sum.bucket)
        case 4: cell.integer(sum.word)
        case 5: cell.integer(sum.count)
        default: cell.integer(sum.amount)
        }
    }
}

/// Rows of `quarantine`: rejected events with their reasons.
final class QuarantineRows: RowSource {
    struct Row {
        var app: Int64
        var received: Int64
        var time: Int64?
        var user: UInt64?
        var installation: UInt64?
        var verdict: Verdict
        var source: EventSubmission.Source
        var envelope: [UInt8]
        var raw: [UInt8]
    }

    var firstSeq: Int64 = 0
    var rows: [Row] = []
    var rowCount: Int { rows.count }

    static let insert = """
        INSERT INTO quarantine (seq, app, received, time, user, installation, id, reason, field, message, source, envelope, raw)
        SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12 FROM batch
        """

    func column(_ column: Int, row: Int, into cell: Cell) {
        switch column {
        case 0: cell.integer(firstSeq + Int64(row))
        case 1: cell.integer(rows[row].app)
        case 2: cell.integer(rows[row].received)
        case 3: if let time = rows[row].time { cell.integer(time) }
        case 4: if let user = rows[row].user { cell.key(user) }
        case 5: if let installation = rows[row].installation { cell.key(installation) }
        case 6: if let id = rows[row].verdict.id { cell.text(id) }
        case 7: cell.text(rows[row].verdict.reason.rawValue)
        case 8: cell.text(rows[row].verdict.field)
        case 9: cell.text(rows[row].verdict.message)
        case 10: cell.text(rows[row].source.rawValue)
        case 11: cell.text(rows[row].envelope, 0..<rows[row].envelope.count)
        default: cell.blob(rows[row].raw, 0..<rows[row].raw.count)
        }
    }
}
