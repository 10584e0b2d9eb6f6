// SPDX-License-Identifier: Apache-2.0

import Database
import Messaging
import Platform
import SQLite

/// A registration that a message reaches.
struct Reached {
    var id: Int64
    /// Nil for a stream.
    var origin: Int64?
    /// Whether its endpoint is unconfirmed. Its deliveries wait.
    var waits: Bool
}

/// The audience of a message: a target, and the fence at which it was fixed.
///
/// Publishing stores two numbers instead of a list of registrations, so it is equally fast for 10 and for a million subscribers. The
/// deliveries are created later, see `MessageContext.spread`. The fence is the last sequence number of `subscriptions`. Numbers only grow,
/// and a resubscription gets a new one:
///
///     topic news: ann seq 1, ben seq 2       publish → fence 2, audience 2
///     cem subscribes, seq 3                  not reached, 3 > 2
///     ben leaves and subscribes, seq 4       not reached, 4 > 2
///     fan-out                                a delivery to ann
///
/// Registrations removed before the fan-out are not reached either. A condition may match registrations in no topic, such as `!('news' in
/// topics)`, so it is evaluated for all registrations up to `lastRegistration`.
struct Audience {
    enum Target {
        /// Nil if the topic does not exist.
        case topic(Int64?)
        case registrations([Int64])
        case condition(Condition, topics: [Int64?])
        /// The registrations whose owner was proved to be this user.
        case user(String)
    }

    var app: AppID
    var target: Target
    /// The last subscription included; `lastRegistration` is the last registration included in conditions.
    var fence: Int64
    var lastRegistration: Int64

    /// Returns the registrations reached after one, ordered by number. `next` is the last one looked at; nil at the end.
    func page(_ file: MessageDB, after place: Int64, limit: Int, _ cuts: Cuts) throws -> (reached: [Reached], next: Int64?) {
        switch target {
        case .topic(nil): return ([], nil)
        case .topic(let topic?): return try subscribers(file, topic, after: place, limit, cuts)
        case .registrations(let ids): return try listed(file, ids, after: place, limit, cuts)
        case .condition(let condition, let topics): return try matching(file, condition, topics, after: place, limit, cuts)
        case .user(let user): return try owned(file, by: user, after: place, limit, cuts)
        }
    }

    func count(_ file: MessageDB, _ cuts: Cuts) throws -> Int {
        if case .topic(let topic?) = target {
            return try file.statement(
                """
                SELECT count(*) FROM subscriptions s JOIN registrations r ON r.id = s.registration
                WHERE s.topic = ? AND s.seq <= ? AND r.seen >= ? AND r.\(RegistrationState.reachedCondition)
                """
            ).first(.integer(topic), .integer(fence), .integer(cuts.expired)) { $0.int(0) } ?? 0
        }
        var count = 0
        var place: Int64? = 0
        while let after = place {
            let page = try page(file, after: after, limit: 10_000, cuts)
            count += page.reached.count
            place = page.next
        }
        return count
    }

    private func subscribers(
        _ file: MessageDB, _ topic: Int64, after place: Int64, _ limit: Int, _ cuts: Cuts
    ) throws -> (reached: [Reached], next: Int64?) {
        let found = try file.statement(
            """
            SELECT r.id, r.origin, r.state FROM subscriptions s JOIN registrations r ON r.id = s.registration
            WHERE s.topic = ? AND s.registration > ? AND s.seq <= ? AND r.seen >= ? AND r.\(RegistrationState.reachedCondition) ORDER BY s.registration LIMIT ?
            """
        ).all(.integer(topic), .integer(place), .integer(fence), .integer(cuts.expired), .integer(limit)) { Reached($0) }
        return (found, found.count == limit ? found.last?.id : nil)
    }

    /// The owner counts at this moment, too: a device that changed hands since the message was published is not reached.
    private func owned(
        _ file: MessageDB, by user: String, after place: Int64, _ limit: Int, _ cuts: Cuts
    ) throws -> (reached: [Reached], next: Int64?) {
        let found = try file.statement(
            """
            SELECT id, origin, state FROM registrations
            WHERE app = ? AND user = ? AND proved = 1 AND id > ? AND id <= ? AND seen >= ? AND \(RegistrationState.reachedCondition) ORDER BY id LIMIT ?
            """
        ).all(
            .integer(app.rawValue), .text(user), .integer(place), .integer(lastRegistration), .integer(cuts.expired), .integer(limit)
        ) { Reached($0) }
        return (found, found.count == limit ? found.last?.id : nil)
    }

    private func listed(
        _ file: MessageDB, _ ids: [Int64], after place: Int64, _ limit: Int, _ cuts: Cuts
    ) throws -> (reached: [Reached], next: Int64?) {
        let part = ids.filter { $0 > place }.sorted().prefix(limit)
        let find = try file.statement(
            "SELECT id, origin, state FROM registrations WHERE id = ? AND seen >= ? AND \(RegistrationState.reachedCondition)")
        let found = try part.compactMap { id in try find.first(.integer(id), .integer(cuts.expired)) { Reached($0) } }
        return (found, part.count == limit ? part.last : nil)
    }

    /// Evaluates the condition for the next registrations of the app. Each topic's members among them are read in one query.
    private func matching(
        _ file: MessageDB, _ condition: Condition, _ topics: [Int64?], after place: Int64, _ limit: Int, _ cuts: Cuts
    ) throws -> (reached: [Reached], next: Int64?) {
        let candidates = try file.statement(
            """
            SELECT id, origin, state FROM registrations
            WHERE id > ? AND id <= ? AND app = ? AND seen >= ? AND \(RegistrationState.reachedCondition) ORDER BY id LIMIT ?
            """
        ).all(.integer(place), .integer(lastRegistration), .integer(app.rawValue), .integer(cuts.expired), .integer(limit)) { Reached($0) }
        guard let last = candidates.last?.id else { return ([], nil) }
        let members = try topics.map { try self.members(file, $0, after: place, through: last) }
        let reached = candidates.filter { candidate in condition.matches { members[$0].contains(candidate.id) } }
        return (reached, candidates.count == limit ? last : nil)
    }

    private func members(_ file: MessageDB, _ topic: Int64?, after place: Int64, through last: Int64) throws -> Set<Int64> {
        guard let topic else { return [] }
        let ids = try file.statement("SELECT registration FROM subscriptions WHERE topic = ? AND registration > ? AND registration <= ? AND seq <= ?")
            .all(.integer(topic), .integer(place), .integer(last), .integer(fence)) { $0.integer(0) }
        return Set(ids)
    }
}

extension Reached {
    init(_ row: Row) {
        self.init(id: row.integer(0), origin: row.optionalInteger(1), waits: row.int(2) == RegistrationState.pending.rawValue)
    }
}
