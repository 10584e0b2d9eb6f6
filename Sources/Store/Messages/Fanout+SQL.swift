import Messaging
import Platform
import SQLite

/// A message whose deliveries are to be made.
struct SpreadingMessage {
    var id: Int64
    var audience: Audience
    var collapseKey: String?
    var expires: Int64
    /// The last registration that deliveries were made for.
    var place: Int64
}

extension MessageContext {
    /// Makes the next deliveries of the message that comes first; answers false where there is none.
    func spread() throws -> Bool {
        guard let message = try nextToSpread() else { return false }
        let page = try message.audience.page(file, after: message.place, limit: limits.chunk, cuts)
        if let key = message.collapseKey { try collapse(key, of: message, for: page.reached) }
        try insert(page.reached, of: message)
        if let next = page.next {
            try file.statement("UPDATE messages SET place = ? WHERE id = ?").run(integers: [next, message.id])
        } else {
            try set(.spread, of: message.id)
        }
        return true
    }

    private func insert(_ reached: [Reached], of message: SpreadingMessage) throws {
        let insert = try file.statement("INSERT INTO deliveries (message, registration, origin, state, due, changed) VALUES (?, ?, ?, 1, ?, ?)")
        let time = now.milliseconds
        for one in reached {
            let isDue = one.origin != nil && !one.waits
            try insert.run(
                .integer(message.id), .integer(one.id), .integer(one.origin), isDue ? .integer(time) : .null, .integer(time))
            if let origin = one.origin {
                if isDue { self.isDue(origin, at: time) }
            } else {
                isForStream(StreamNews(registration: one.id, delivery: file.lastInsertedRow, message: message.id))
                try makeRoom(inStream: one.id)
            }
        }
        count(reached.count, of: message.id, to: .pending)
    }

    /// A stream keeps so many; the oldest make room, and its reader is told how many.
    private func makeRoom(inStream registration: Int64) throws {
        let surplus = try file.statement("SELECT id FROM deliveries WHERE registration = ? AND state < 5 ORDER BY id DESC LIMIT -1 OFFSET ?")
            .all(.integer(registration), .integer(limits.pendingOfStream)) { $0.integer(0) }
        guard !surplus.isEmpty else { return }
        for delivery in surplus { try close(delivery, .expired) }
        try file.statement("UPDATE registrations SET gap = gap + ?, gap_through = ? WHERE id = ?")
            .run(integers: [Int64(surplus.count), surplus[0], registration])
    }

    /// What is still pending of older messages with the same key is replaced by this one.
    private func collapse(_ key: String, of message: SpreadingMessage, for reached: [Reached]) throws {
        let older = try file.statement("SELECT id FROM messages WHERE app = ? AND collapse_key = ? AND id < ?")
            .all(.integer(message.audience.app.rawValue), .text(key), .integer(message.id)) { $0.integer(0) }
        guard !older.isEmpty else { return }
        let olderIDs = Set(older)
        let open = try file.statement("SELECT id, message FROM deliveries WHERE registration = ? AND state < 5 AND state <> 2")
        for one in reached {
            let found = try open.all(.integer(one.id)) { ($0.integer(0), $0.integer(1)) }
            for (delivery, ofMessage) in found where olderIDs.contains(ofMessage) { try close(delivery, .cancelled) }
        }
    }

    func set(_ stage: MessageStage, of message: Int64) throws {
        try file.statement("UPDATE messages SET stage = ? WHERE id = ?").run(integers: [Int64(stage.rawValue), message])
    }

    // MARK: Which is next

    /// Urgent ones first, then in the order in which they were published.
    private func nextToSpread() throws -> SpreadingMessage? {
        try startScheduled()
        return try file.statement(
            """
            SELECT id, app, topic, topic_name, condition, registrations, fence, last_registration, collapse_key, expires, place FROM messages
            WHERE stage = 2 ORDER BY priority DESC, id LIMIT 1
            """
        ).first(row: { try SpreadingMessage($0, in: self.file) })
    }

    /// Those whose time has come get their fence and audience now.
    private func startScheduled() throws {
        let due = try file.statement("SELECT id FROM messages WHERE stage = 1 AND send_at <= ? LIMIT 100").all(.integer(now.milliseconds)) {
            $0.integer(0)
        }
        for id in due { try start(id) }
    }

    private func start(_ id: Int64) throws {
        let find = try file.statement(
            "SELECT id, app, topic, topic_name, condition, registrations, fence, last_registration, collapse_key, expires, place FROM messages WHERE id = ?"
        )
        guard var audience = try find.first(.integer(id), row: { try SpreadingMessage($0, in: self.file).audience }) else { return }
        (audience.fence, audience.lastRegistration) = (try file.last("subscriptions"), try file.last("registrations"))
        let topic: Int64? = if case .topic(let topic) = audience.target { topic } else { nil }
        try file.statement(
            "UPDATE messages SET stage = 2, topic = ?, fence = ?, last_registration = ?, audience = ?, sent = ?, expires = ? + ttl WHERE id = ?"
        ).run(
            .integer(topic), .integer(audience.fence), .integer(audience.lastRegistration), .integer(try audience.count(file, cuts)),
            .integer(now.milliseconds), .integer(now.milliseconds), .integer(id))
    }
}

extension SpreadingMessage {
    /// A topic that was made since the message was scheduled is found by its name.
    fileprivate init(_ row: Row, in file: Connection) throws {
        let app = AppID(rawValue: row.integer(1))
        let target: Audience.Target
        if let text = row.optionalText(4), let condition = try? Condition(text) {
            target = .condition(condition, topics: try condition.topics.map { try file.topic($0.text, app: app) })
        } else if let name = row.optionalText(3) {
            target = .topic(try row.optionalInteger(2) ?? file.topic(name, app: app))
        } else {
            target = .registrations(row.words(5).map { Int64(bitPattern: $0) })
        }
        self.init(
            id: row.integer(0), audience: Audience(app: app, target: target, fence: row.integer(6), lastRegistration: row.integer(7)),
            collapseKey: row.optionalText(8), expires: row.integer(9), place: row.integer(10))
    }
}
