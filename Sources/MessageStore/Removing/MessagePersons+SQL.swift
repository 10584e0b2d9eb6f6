// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
package import Messaging
package import Platform
import SQLite

extension RemovalCounts.Kind {
    package static let registrations = Self("registrations")
    package static let deliveries = Self("deliveries")
}

extension MessageStore {
    /// Erases a person's registrations with their deliveries, or removes the person from them. Returns how many there were.
    ///
    /// The registrations are removed last. After a crash the next attempt finds the remaining deliveries by them:
    ///
    ///     1  close the registrations          no new deliveries, nothing is sent
    ///     2  remove deliveries in batches     of 5,000
    ///     3  remove the registrations
    package func remove(_ removal: PersonRemoval) async throws -> RemovalCounts {
        var counts = RemovalCounts()
        while try await change({ try $0.removeMessages(of: removal) }) {}
        if case .anonymity = removal.kind {
            let ids = try await change { try $0.anonymise(removal) }
            for id in ids { streams.reread(id) }
            counts[.registrations] = ids.count
            return counts
        }
        let ids = try await change { try $0.closeRegistrations(of: removal) }
        for id in ids { streams.end(id) }
        if ids.isEmpty { return counts }
        counts[.registrations] = ids.count
        while true {
            let found = try await readers.read(.large, seconds: ReaderPool.removalSeconds) { session in
                try session.withMessages { try $0.deliveries(to: ids, limit: 5_000) }
            }
            if found.isEmpty { break }
            try await change { context in
                context.emptiesLog = true
                for row in found { try context.forget(delivery: row.id, of: row.message, row.state) }
            }
            counts[.deliveries] += found.count
        }
        try await change { context in
            context.emptiesLog = true
            for id in ids { try context.remove(registration: id) }
        }
        return counts
    }

    /// Returns a person's registrations after one. For a user these include those that name no user but an installation that was seen with
    /// the user.
    package func registrations(of person: PersonID, _ profile: PersonProfile, app: AppID, after id: Int64, limit: Int) async throws -> [Registration]
    {
        let cuts = Cuts(limits, now: clock.now())
        let partners = person.kind == .user ? profile.partners.compactMap(\.id) : []
        return try await read { file in
            let marks = partners.map { _ in "?" }.joined(separator: ", ")
            let whose = "(\(person.kind.rawValue) = ? OR user IS NULL AND installation IN (\(marks)))"
            return try file.registrations(whose, ([person.text] + partners).map { .text($0) }, app: app, after: id, limit: limit, cuts)
        }
    }

    /// Returns how much `remove` would remove.
    package func survey(_ removal: PersonRemoval) async throws -> RemovalCounts {
        try await readers.read(.large, seconds: ReaderPool.removalSeconds) { session in
            try session.withMessages { file in
                var counts = RemovalCounts()
                let ids = try file.registrations(of: removal)
                counts[.registrations] = ids.count
                if case .erasure = removal.kind, !ids.isEmpty { counts[.deliveries] = try file.countDeliveries(to: ids) }
                return counts
            }
        }
    }
}

extension MessageDB {
    /// Returns the registrations of the removed person. For a user these include registrations that name only one of the user's
    /// installations.
    fileprivate func registrations(of removal: PersonRemoval) throws -> [Int64] {
        let isUser = removal.members.contains { $0.kind == .user }
        var ids: Set<Int64> = []
        for member in removal.members where !member.id.isEmpty {
            let which =
                switch member.kind {
                case .user: "user = ?"
                case .installation: isUser ? "installation = ? AND user IS NULL" : "installation = ?"
                }
            ids.formUnion(
                try statement("SELECT id FROM registrations WHERE app = ? AND \(which)").all(.integer(removal.app.rawValue), .text(member.id)) {
                    $0.integer(0)
                })
        }
        return ids.sorted()
    }

    /// Returns closed deliveries. All deliveries of closed registrations are.
    fileprivate func deliveries(to registrations: [Int64], limit: Int) throws -> [(id: Int64, message: Int64, state: DeliveryState)] {
        try uncached(
            "SELECT id, message, state FROM deliveries WHERE registration IN \(registrations.list) AND \(DeliveryState.overCondition) LIMIT ?"
        )
        .all(.integer(limit)) { ($0.integer(0), $0.integer(1), DeliveryState(rawValue: $0.int(2)) ?? .removed) }
    }

    fileprivate func countDeliveries(to registrations: [Int64]) throws -> Int {
        // Open and closed deliveries have a partial index each, which SQLite uses only if the statement repeats its condition.
        try [DeliveryState.openCondition, DeliveryState.overCondition].reduce(0) { count, half in
            try count + (uncached("SELECT count(*) FROM deliveries WHERE registration IN \(registrations.list) AND \(half)").first { $0.int(0) } ?? 0)
        }
    }
}

extension MessageContext {
    /// Closes registrations. They get no new deliveries, and nothing is sent to them.
    func closeRegistrations(of removal: PersonRemoval) throws -> [Int64] {
        let ids = try file.registrations(of: removal)
        for id in ids {
            try file.statement("UPDATE registrations SET state = \(sql: RegistrationState.refused), challenge_due = NULL WHERE id = ?").run(
                integers: [id])
            try close(.removed, ofRegistration: id)
        }
        return ids
    }

    /// Removes user and installation from registrations, which still get messages.
    fileprivate func anonymise(_ removal: PersonRemoval) throws -> [Int64] {
        emptiesLog = true
        let ids = try file.registrations(of: removal)
        for id in ids {
            try file.statement("UPDATE registrations SET user = NULL, proved = 0, session = NULL, installation = NULL WHERE id = ?")
                .run(integers: [id])
            _ = try withdrawAddressed(from: id)
        }
        return ids
    }

    /// Removes the next chunk of messages that are addressed to the removed user or tell of its account. Returns false if there is none.
    fileprivate func removeMessages(of removal: PersonRemoval) throws -> Bool {
        for member in removal.members where member.kind == .user && !member.id.isEmpty {
            for column in ["addressee", "about"] {
                let message = try file.statement("SELECT id FROM messages WHERE app = ? AND \(column) = ? LIMIT 1").first(
                    .integer(removal.app.rawValue), .text(member.id)
                ) { $0.integer(0) }
                guard let message else { continue }
                emptiesLog = true
                return try removeChunk(of: message)
            }
        }
        return false
    }
}

extension [Int64] {
    fileprivate var list: String { "(" + map(String.init).joined(separator: ", ") + ")" }
}

extension ReadSession {
    /// Whether a device is registered for a person.
    package func isRegistered(_ id: PersonID, app: AppID) throws -> Bool {
        try withMessages { file in
            try file.statement("SELECT 1 FROM registrations WHERE app = ? AND \(id.kind.rawValue) = ? LIMIT 1")
                .first(.integer(app.rawValue), .text(id.text)) { _ in true } ?? false
        }
    }
}
