// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The state of this device's registration, and the changes that the daemon does not know yet. Persists across launches.
///
/// `nextRequest` derives the next request from the difference between the wanted and the confirmed state. Example:
///
///     setTopic("news", isSubscribed: true)   -> register, then change(["news": true])
///     the user signs in                      -> checkIn with the new user ID
///     unregister()                           -> remove(token)
struct Device: Codable, Equatable {
    /// The attributes sent with a registration.
    struct Facts: Codable, Equatable {
        var installation: String
        var user: String?
        var platform: String
        var appVersion: String?
    }

    /// A request to the daemon that is due.
    enum Errand: Equatable {
        case remove(token: String)
        case register(Facts)
        case checkIn(token: String, Facts)
        case change(token: String, [String: Bool])
        case acknowledge(token: String, cursor: String)
    }

    /// The daemon's limit of topics for a device.
    static let mostWishes = 2_000
    private static let longestTopic = 900
    private static let mostLeaving = 100
    private static let checksInAfter: TimeInterval = 24 * 60 * 60

    private(set) var token: String?
    /// The cursor of the last message that the app consumed.
    private(set) var cursor: String?
    private var acknowledged: String?
    /// Pending topic changes: subscribe (true) or unsubscribe; the last call for a topic wins.
    private(set) var wishes: [String: Bool] = [:]
    /// Subscribed topics. A new token must subscribe to them again.
    private(set) var topics: Set<String> = []
    /// Tokens to be removed from the daemon.
    private var leaving: [String] = []
    private var wantsToken = false
    private var installation: String?
    private var told: Facts?
    private var toldAt = Date.distantPast

    // MARK: Changes by the app

    mutating func wantToken() {
        wantsToken = true
    }

    mutating func want(topic: String, joined: Bool) throws(SignalboxError) {
        // Only the length is checked here; the daemon validates the name.
        guard topic.utf8.count <= Device.longestTopic else {
            throw .refused(code: "bad_topic", detail: "topic must be at most \(Device.longestTopic) bytes.")
        }
        guard wishes[topic] != nil || wishes.count < Device.mostWishes else {
            throw .refused(code: "too_many_topics", detail: "\(Device.mostWishes) topic changes are pending already; retry after the next flush.")
        }
        wishes[topic] = joined
    }

    mutating func took(cursor: String, of token: String) {
        if token == self.token { self.cursor = cursor }
    }

    /// Drops token, topics and pending changes, and queues the token for removal.
    mutating func leave() {
        var left = Device()
        left.leaving = (leaving + [token].compactMap { $0 }).suffix(Device.mostLeaving)
        left.installation = installation
        self = left
    }

    /// Unregisters if the registration belongs to another installation. `nil` means that collection is disabled.
    mutating func belong(to installation: String?) {
        guard installation != self.installation else { return }
        if self.installation != nil { leave() }
        self.installation = installation
    }

    // MARK: Requests

    /// - Parameter facts: `nil` while collection is disabled: then only removals are due.
    func next(_ facts: Facts?, at now: Date, topicsAtMost most: Int) -> Errand? {
        if let gone = leaving.first { return .remove(token: gone) }
        // The installation changed and `adopt` has not run yet.
        guard let facts, facts.installation == installation else { return nil }
        guard let token else { return wantsToken || !wishes.isEmpty ? .register(facts) : nil }
        // `abs`, since the clock may have been set back.
        if facts != told || abs(now.timeIntervalSince(toldAt)) > Device.checksInAfter { return .checkIn(token: token, facts) }
        if let cursor, cursor != acknowledged { return .acknowledge(token: token, cursor: cursor) }
        if wishes.isEmpty { return nil }
        let some = wishes.sorted { $0.key < $1.key }.prefix(most)
        return .change(token: token, Dictionary(uniqueKeysWithValues: Array(some)))
    }

    /// Stores a new token. If the installation changed during the request, the token is removed again.
    mutating func registered(as token: String, _ facts: Facts, at now: Date) {
        guard facts.installation == installation else {
            leaving = (leaving + [token]).suffix(Device.mostLeaving)
            return
        }
        self.token = token
        (cursor, acknowledged) = (nil, nil)
        wantsToken = true
        (told, toldAt) = (facts, now)
    }

    /// Marks a request as finished: done, or rejected for good.
    mutating func isThrough(_ errand: Errand, isDone: Bool, at now: Date) {
        switch errand {
        case .remove(let token): leaving.removeAll { $0 == token }
        case .register: break
        // The token may have been replaced during the request; its result does not apply to the new one.
        case .checkIn(let token, let facts): if token == self.token { (told, toldAt) = (facts, now) }
        case .acknowledge(let token, let cursor): if token == self.token { acknowledged = cursor }
        case .change(let token, let changes):
            guard token == self.token else { return }
            for (topic, joined) in changes {
                // A topic changed again during the request stays pending.
                if wishes[topic] == joined { wishes[topic] = nil }
                guard isDone else { continue }
                if joined { topics.insert(topic) } else { topics.remove(topic) }
            }
        }
    }

    /// Drops a token that the daemon no longer knows. The next one subscribes to the same topics.
    mutating func isGone(_ token: String) {
        guard token == self.token else { return }
        wishes.merge(topics.map { ($0, true) }) { wish, _ in wish }
        topics = []
        self.token = nil
        (cursor, acknowledged) = (nil, nil)
        wantsToken = true
    }
}

extension Device {
    private static let name = "device.json"

    static func read(in folder: URL) -> Device {
        let data = try? Data(contentsOf: folder.appendingPathComponent(name))
        return data.flatMap { try? JSONDecoder().decode(Device.self, from: $0) } ?? Device()
    }

    /// Writes the file atomically.
    func write(in folder: URL) throws(SignalboxError) {
        do {
            try JSONEncoder().encode(self).write(to: folder.appendingPathComponent(Device.name), options: .atomic)
        } catch {
            throw .folderUnusable(path: folder.path, reason: error.localizedDescription)
        }
    }
}
