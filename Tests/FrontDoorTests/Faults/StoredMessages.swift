// SPDX-License-Identifier: Apache-2.0

import SQLite
import TestSupport

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

/// The contents of the message file.
struct StoredMessages {
    struct Message {
        var audience: Int
        var deliveries: Int
    }

    /// The inconsistencies.
    private(set) var problems: [String] = []
    private(set) var tokens: Set<String>
    /// The subscriptions by topic and token.
    private(set) var subscriptions: Set<String>
    private(set) var messages: [String: Message] = [:]
    /// The messages whose fan-out is not finished.
    let spreading: Int

    init(of folder: String) throws {
        let file = try Connection(StorePaths(root: folder).messages, .read)
        // Reads one snapshot.
        try file.execute("BEGIN")
        spreading = try file.statement("SELECT count(*) FROM messages WHERE stage IN (2, 3)").first { $0.int(0) } ?? 0
        tokens = Set(try file.statement("SELECT token FROM registrations").all { $0.text(0) })
        let pairs = "SELECT t.name, r.token FROM subscriptions s JOIN topics t ON t.id = s.topic JOIN registrations r ON r.id = s.registration"
        subscriptions = Set(try file.statement(pairs).all { "\($0.text(0)) \($0.text(1))" })
        let counts = "SELECT m.public, m.audience, count(d.id) FROM messages m LEFT JOIN deliveries d ON d.message = m.id GROUP BY m.id"
        try file.statement(counts).each([]) { messages[$0.text(0)] = Message(audience: $0.int(1), deliveries: $0.int(2)) }
        let found = try file.statement("PRAGMA integrity_check").all { $0.text(0) }
        if found != ["ok"] { problems.append("the message file: \(found.prefix(3))") }
        for (what, sql) in MessageRecount.wrongs {
            let rows = try file.uncached(sql).all { $0.integer(0) }
            if !rows.isEmpty { problems.append("a delivery, topic or message is \(what): \(rows.prefix(5))") }
        }
        for (id, message) in messages where spreading == 0 && message.deliveries != message.audience {
            problems.append("message \(id) has \(message.deliveries) deliveries for an audience of \(message.audience)")
        }
    }
}
