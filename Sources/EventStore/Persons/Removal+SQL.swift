// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
import Events
package import Platform
import SQLite

extension DayDB {
    /// Removes or anonymises a chunk of a person's rows together with their counts, so every figure of the file agrees with its rows again.
    ///
    /// The counts of withdrawn rows were subtracted when they were withdrawn.
    package func remove(
        _ rows: RowsToRemove, _ removal: PersonRemoval, _ hash: KeyedHash, withdrawn: WithdrawnRows
    ) throws -> RemovalCounts {
        var counts = RemovalCounts()
        counts[.events] = rows.events.count
        counts[.quarantined] = rows.quarantined.count
        if rows.events.isEmpty && !rows.hasAliases { return counts }
        var rows = try includingArrivals(rows, removal.keys)
        counts[.purchases] = try purchases(among: rows.events)
        var arrived = PresenceBits()
        if case .anonymity(_, let privateParams) = removal.kind {
            arrived = try rename(rows.events, removal, without: privateParams)
            try addRenamed(to: &rows, removal)
        } else {
            try subtract(rows.events, app: removal.app, hash, withdrawn)
            for event in rows.events { try delete(event.seq) }
        }
        try removeAliases(removal, addingTo: &arrived)
        try replacePresence(of: removal.keys, with: rows.staying, and: arrived)
        try replaceParts(rows.sessions, app: removal.app)
        try uncached("DELETE FROM ids WHERE key IN \(rows.unneeded.list)").run()
        return counts
    }

    /// Adds the events that arrived after the rows were read.
    private func includingArrivals(_ rows: RowsToRemove, _ keys: PersonKeys) throws -> RowsToRemove {
        var rows = rows
        let reader = try SessionReader(self, keys.app)
        try source(EventRequest(keys.app, SessionReader.columns, where: [.after(rows.newest)]), withdrawn: .included).eachBatch { batch in
            for row in batch.rows {
                let (user, installation) = (batch.users[row], batch.installations[row])
                if keys.contains(user: user, installation: installation) {
                    rows.staying.add(app: keys.app, time: batch.times[row], installation: installation, user: user)
                }
                rows.unneeded.subtract([user, installation, batch.sessions[row]])
                rows.sessions.add(reader.part(batch, row), reader)
            }
        }
        return rows
    }

    private func purchases(among events: [RowsToRemove.Event]) throws -> Int {
        let find = try statement("SELECT 1 FROM purchases WHERE seq = ?")
        return try events.count { try find.first(.integer($0.seq)) { _ in true } == true }
    }

    private func delete(_ seq: Int64) throws {
        for table in ["events", "details", "purchases"] {
            try statement("DELETE FROM \(table) WHERE seq = ?").run(.integer(seq))
        }
    }

    private func replacePresence(of keys: PersonKeys, with staying: PresenceBits, and arrived: PresenceBits) throws {
        for table in ["presence", "actives"] { try uncached("DELETE FROM \(table) WHERE \(keys.condition)").run() }
        let insert = try statement(
            """
            INSERT INTO actives (app, day, installation, user, early, late) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET early = early | excluded.early, late = late | excluded.late
            """)
        for bits in [staying, arrived] {
            for (entry, bits) in bits.entries where entry.installation != 0 || entry.user != 0 {
                try insert.run(
                    .integer(entry.app), .integer(Int64(entry.day)), .key(entry.installation), .key(entry.user), .key(bits.early), .key(bits.late))
            }
        }
    }
}

// MARK: - What the rows count for

extension DayDB {
    /// Subtracts events from the roll-ups, as they were added.
    private func subtract(_ events: [RowsToRemove.Event], app: AppID, _ hash: KeyedHash, _ withdrawn: WithdrawnRows) throws {
        var tally = RollupTally()
        let views = try nameNumbers([hash(.name, app: app, Array(EventKind.screenView.name.utf8).span)])
        let request = EventRequest(app, [.name, .time, .flags, .params, .purchase], where: [.seqs(events.map(\.seq))])
        try source(request, withdrawn: .leftOut(withdrawn)).eachBatch { batch in
            for row in batch.rows {
                let time = batch.times[row]
                tally.count(.events, app: app.rawValue, word: batch.names[row], time: time)
                if batch.flags[row].contains(.late) { tally.count(.late, app: app.rawValue, word: 0, time: time) }
                if views.contains(batch.names[row]), let screen = try screen(in: batch.params[row], app: app, hash) {
                    tally.count(.screens, app: app.rawValue, word: screen, time: time)
                }
                guard let purchase = batch.purchases[row], purchase.currency != 0 else { continue }
                tally.count(
                    purchase.isRefund ? .refunds : .purchases, app: app.rawValue, word: purchase.currency, time: time, amount: purchase.amount)
            }
        }
        tally.addCoarserGrains()
        try subtract(tally.sums)
    }

    /// Returns the word that a screen was counted under: 0 if the app had too many that day.
    private func screen(in params: [UInt8], app: AppID, _ hash: KeyedHash) throws -> Int64? {
        guard let name = ParamText.string(of: "screen_name", in: params), !name.isEmpty else { return nil }
        let key = hash(.screen, app: app, name.span)
        return try statement("SELECT id FROM words WHERE key = ?").first(.key(key)) { $0.integer(0) } ?? 0
    }

    private func subtract(_ sums: [RollupTally.Sum]) throws {
        // A count below zero is that of withdrawn rows of earlier days. Its row may be gone: an earlier erasure left it at zero.
        let subtract = try statement(
            """
            INSERT INTO rollups (app, metric, grain, bucket, word, count, amount) VALUES (?, ?, ?, ?, ?, -?, CAST(-? AS INTEGER))
            ON CONFLICT DO UPDATE SET count = count + excluded.count, amount = CAST(amount + excluded.amount AS INTEGER)
            """)
        let clear = try statement(
            "DELETE FROM rollups WHERE app = ? AND metric = ? AND grain = ? AND bucket = ? AND word = ? AND count = 0 AND amount = 0")
        for sum in sums {
            let place = [sum.app, sum.metric.rawValue, sum.grain.rawValue, sum.bucket, sum.word]
            try subtract.run(integers: place + [sum.count, sum.amount])
            try clear.run(integers: place)
        }
    }
}

// MARK: - New keys

extension DayDB {
    /// Gives events new keys.
    ///
    /// Returns their presence under those keys.
    private func rename(_ events: [RowsToRemove.Event], _ removal: PersonRemoval, without privateParams: Set<String>) throws -> PresenceBits {
        var arrived = PresenceBits()
        let update = try statement("UPDATE events SET user = ?, installation = ?, session = ? WHERE seq = ?")
        for event in events {
            let (user, installation) = (removal.keyAfterRemoval(event.user), removal.keyAfterRemoval(event.installation))
            try update.run(
                .key(user), .key(installation), .key(removal.sessionAfterRemoval(event.session, on: event.installation)), .integer(event.seq))
            arrived.add(app: removal.app, time: event.time, installation: installation, user: user)
            if !privateParams.isEmpty { try drop(privateParams, from: event.seq) }
        }
        return arrived
    }

    /// Adds the renamed events to the sessions that are stored.
    private func addRenamed(to rows: inout RowsToRemove, _ removal: PersonRemoval) throws {
        let reader = try SessionReader(self, removal.app)
        for event in rows.events {
            rows.sessions.add(event.part?.renamed(event, removal), isNew: true, reader)
        }
    }

    private func drop(_ names: Set<String>, from seq: Int64) throws {
        let params = try statement("SELECT params FROM details WHERE seq = ?").first(.integer(seq)) { try $0.params(0) } ?? []
        let rest = ParamText.removing(names, from: params)
        if rest == params { return }
        let value = StoredParams.compressed(rest[...]).map { Value.blob($0) } ?? .utf8(rest)
        try statement("UPDATE details SET params = ? WHERE seq = ?").run(value, .integer(seq))
    }
}

extension SessionPart {
    /// Returns the part of an anonymised event under its new keys.
    fileprivate func renamed(_ event: RowsToRemove.Event, _ removal: PersonRemoval) -> SessionPart {
        var part = self
        let (user, installation) = (removal.keyAfterRemoval(event.user), removal.keyAfterRemoval(event.installation))
        part.subject = SessionSubject.key(user: user, installation: installation)
        part.session = removal.sessionAfterRemoval(event.session, on: event.installation)
        part.user = user
        return part
    }
}
