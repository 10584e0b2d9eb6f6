// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How this device stands with the daemon, and what is still to be told to it; outlives starts.
struct Device: Codable, Equatable {
    /// What the daemon is told of it.
    struct Facts: Codable, Equatable {
        var installation: String
        var user: String?
        var platform: String
        var appVersion: String?
    }

    /// A request that is due.
    enum Errand: Equatable {
        case remove(token: String)
        case register(Facts)
        case checkIn(token: String, Facts)
        case change(token: String, [String: Bool])
        case acknowledge(token: String, cursor: String)
    }

    /// As many topics as the daemon lets a device be in.
    static let mostWishes = 2_000
    private static let longestTopic = 900
    private static let mostLeaving = 100
    private static let checksInAfter: TimeInterval = 24 * 60 * 60

    private(set) var token: String?
    /// The last message of the stream that the app has taken.
    private(set) var cursor: String?
    private var acknowledged: String?
    /// Topics to get into (true) or out of, as asked for last.
    private(set) var wishes: [String: Bool] = [:]
    /// Those it is in: another token has to get into them again.
    private(set) var topics: Set<String> = []
    /// Tokens that the daemon may forget.
    private var leaving: [String] = []
    private var wantsToken = false
    private var installation: String?
    private var told: Facts?
    private var toldAt = Date.distantPast

    // MARK: What the app wants

    mutating func wantToken() {
        wantsToken = true
    }

    mutating func want(topic: String, joined: Bool) throws(SignalboxError) {
        // What the daemon would not even read is not kept for it; names it judges itself.
        guard topic.utf8.count <= Device.longestTopic else {
            throw .refused(code: "bad_topic", detail: "topic must be at most \(Device.longestTopic) bytes.")
        }
        guard wishes[topic] != nil || wishes.count < Device.mostWishes else {
            throw .refused(code: "too_many_topics", detail: "\(Device.mostWishes) topics wait for the daemon already.")
        }
        wishes[topic] = joined
    }

    mutating func took(cursor: String, of token: String) {
        if token == self.token { self.cursor = cursor }
    }

    /// Gives up token and topics.
    mutating func leave() {
        var left = Device()
        left.leaving = (leaving + [token].compactMap { $0 }).suffix(Device.mostLeaving)
        left.installation = installation
        self = left
    }

    /// Another installation, or none that anything may be known of, has nothing of this one's.
    mutating func belong(to installation: String?) {
        guard installation != self.installation else { return }
        if self.installation != nil { leave() }
        self.installation = installation
    }

    // MARK: What the daemon is to be told

    /// - Parameter facts: Nil where nothing may be told but good-bye.
    func next(_ facts: Facts?, at now: Date, topicsAtMost most: Int) -> Errand? {
        if let gone = leaving.first { return .remove(token: gone) }
        // Another installation has nothing of this one's, and is told of as soon as it is the one that this belongs to.
        guard let facts, facts.installation == installation else { return nil }
        guard let token else { return wantsToken || !wishes.isEmpty ? .register(facts) : nil }
        // A clock may have been set back.
        if facts != told || abs(now.timeIntervalSince(toldAt)) > Device.checksInAfter { return .checkIn(token: token, facts) }
        if let cursor, cursor != acknowledged { return .acknowledge(token: token, cursor: cursor) }
        if wishes.isEmpty { return nil }
        let some = wishes.sorted { $0.key < $1.key }.prefix(most)
        return .change(token: token, Dictionary(uniqueKeysWithValues: Array(some)))
    }

    /// Who was given up while the daemon was asked leaves at once.
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

    /// It was done, or the daemon will not have it: either way it is not due any more.
    mutating func isThrough(_ errand: Errand, isDone: Bool, at now: Date) {
        switch errand {
        case .remove(let token): leaving.removeAll { $0 == token }
        case .register: break
        // What was done for a token that was given up meanwhile is nothing of the next one's.
        case .checkIn(let token, let facts): if token == self.token { (told, toldAt) = (facts, now) }
        case .acknowledge(let token, let cursor): if token == self.token { acknowledged = cursor }
        case .change(let token, let changes):
            guard token == self.token else { return }
            for (topic, joined) in changes {
                // Who changed their mind meanwhile is not through.
                if wishes[topic] == joined { wishes[topic] = nil }
                guard isDone else { continue }
                if joined { topics.insert(topic) } else { topics.remove(topic) }
            }
        }
    }

    /// The daemon knows the token no more: there will be another, in the same topics.
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

    /// Writes it as a whole or not at all.
    func write(in folder: URL) throws(SignalboxError) {
        do {
            try JSONEncoder().encode(self).write(to: folder.appendingPathComponent(Device.name), options: .atomic)
        } catch {
            throw .folderUnusable(path: folder.path, reason: error.localizedDescription)
        }
    }
}
