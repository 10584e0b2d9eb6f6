// SPDX-License-Identifier: Apache-2.0

import Database
package import Messaging
package import Platform
import SQLite

/// The owner of a device: its user, who vouches for it, and until when.
///
///     registered with ana's ID token    ana, proved, until her session ends
///     then with an ingest key alone     ana, as before: the caller has the token
///     the key, "user_id": "bob"         bob, not proved
///     a server's key, "user_id": "bob"  bob, proved
struct DeviceOwner {
    let user: String?
    let isProved: Bool
    let session: [UInt8]?

    init(_ draft: RegistrationDraft, before known: Registration?) {
        guard !draft.clearsUser, let user = draft.user else {
            (user, isProved, session) = draft.clearsUser ? (nil, false, nil) : (known?.user, known?.isProved ?? false, known?.session)
            return
        }
        let isSame = known?.user?.hasSameBytes(as: user) ?? false
        self.user = user
        switch draft.proof {
        case .none: (isProved, session) = isSame ? (known?.isProved ?? false, known?.session) : (false, nil)
        case .server: (isProved, session) = (true, isSame ? known?.session : nil)
        case .session(let session): (isProved, self.session) = (true, session)
        }
    }

    /// Whether messages to the user of a registration are no longer for it.
    func replaces(_ known: Registration) -> Bool {
        guard known.isProved, let before = known.user else { return false }
        return !isProved || !(user?.hasSameBytes(as: before) ?? false)
    }
}

extension Registration {
    /// Whether the user of the request's ID token owns the device.
    func isOwned(by draft: RegistrationDraft) -> Bool {
        guard case .session = draft.proof, isProved, let user, let owner = draft.user else { return false }
        return user.hasSameBytes(as: owner)
    }
}

extension MessageContext {
    /// Closes the open deliveries of messages that were addressed to the owner of a device. Returns whether there were any.
    func withdrawAddressed(from registration: Int64) throws -> Bool {
        let open = try file.statement(
            """
            SELECT d.id FROM deliveries d JOIN messages m ON m.id = d.message
            WHERE d.registration = ? AND d.\(DeliveryState.openCondition) AND m.addressee IS NOT NULL
            """
        ).all(.integer(registration)) { $0.integer(0) }
        for delivery in open { try close(delivery, .removed) }
        return !open.isEmpty
    }

    /// Takes the owner from the devices of a session that ended. Returns those with withdrawn deliveries.
    fileprivate func release(session: [UInt8]) throws -> [Int64] {
        let ids = try file.statement("SELECT id FROM registrations WHERE session = ?").all(.blob(session)) { $0.integer(0) }
        let release = try file.statement("UPDATE registrations SET user = NULL, proved = 0, session = NULL WHERE id = ?")
        return try ids.filter { id in
            try release.run(integers: [id])
            return try withdrawAddressed(from: id)
        }
    }
}

// MARK: - What follows from events of accounts

/// An event of an account as a message on `$accounts`.
package struct AccountMessage: Sendable {
    /// Its number and time in accounts.db.
    package var seq: Int64
    package var time: Timestamp
    package var app: AppID
    package var publication: Publication
    /// The user whose account was deleted. Earlier messages about it go, also those that an erasure came before.
    package var deleted: String?

    package init(seq: Int64, time: Timestamp, app: AppID, publication: Publication, deleted: String? = nil) {
        (self.seq, self.time, self.app, self.publication, self.deleted) = (seq, time, app, publication, deleted)
    }
}

extension MessageStore {
    /// Publishes events of accounts where somebody subscribes to them, and releases the devices of ended sessions, in one transaction.
    ///
    /// The last event is remembered in the same transaction, so that a repetition after a kill publishes nothing twice.
    package func follow(_ events: [AccountMessage], releasing sessions: [[UInt8]]) async throws {
        // Most sign-ins have nobody to tell, which needs no commit. Devices are looked up by the writer, as one may be registered just now.
        let apps = Set(events.map(\.app))
        let hasSubscribers = try await read { file in try apps.contains { try file.topic(DaemonTopic.accounts.rawValue, app: $0) != nil } }
        guard hasSubscribers || !sessions.isEmpty else { return }
        let withdrawn = try await change { context in
            try context.publishNew(events)
            return try sessions.flatMap { try context.release(session: $0) }
        }
        for id in withdrawn { streams.reread(id) }
    }
}

extension MessageContext {
    fileprivate func publishNew(_ events: [AccountMessage]) throws {
        guard let last = events.last else { return }
        let known = try file.statement("SELECT value FROM meta WHERE key = 'account_event'").first { $0.text(0) }
        // The time tells an event from one with the same number in a restored backup.
        let done = events.lastIndex { $0.mark == known }
        for event in events[(done.map { $0 + 1 } ?? 0)...] {
            guard try file.topic(DaemonTopic.accounts.rawValue, app: event.app) != nil else { continue }
            if let user = event.deleted { while try removeMessage(about: user, app: event.app) {} }
            _ = try publish(app: event.app, event.publication)
        }
        try file.statement("INSERT OR REPLACE INTO meta (key, value) VALUES ('account_event', ?)").run(.text(last.mark))
    }
}

extension MessageContext {
    /// Removes the next chunk of a message about a user. Returns false if there is none.
    private func removeMessage(about user: String, app: AppID) throws -> Bool {
        let message = try file.statement("SELECT id FROM messages WHERE app = ? AND about = ? LIMIT 1").first(.integer(app.rawValue), .text(user)) {
            $0.integer(0)
        }
        guard let message else { return false }
        emptiesLog = true
        return try removeChunk(of: message)
    }
}

extension AccountMessage {
    fileprivate var mark: String { "\(seq) \(time.milliseconds)" }
}
