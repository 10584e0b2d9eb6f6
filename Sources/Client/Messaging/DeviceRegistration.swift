// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The state of this device's registration, and the changes that the daemon does not know yet. Persists across launches.
///
/// `nextRequest` derives the next request from the difference between the wanted and the confirmed state. Example:
///
///     setTopic("news", isSubscribed: true)   -> register, then change(["news": true])
///     the user signs in                      -> checkIn with the new user ID
///     unregister()                           -> remove(token)
struct DeviceRegistration: Codable, Equatable {
    /// The attributes sent with a registration.
    struct Attributes: Codable, Equatable {
        var installation: String
        var user: String?
        var platform: String
        var appVersion: String?
        /// The session that proves the user; `nil` if nothing does.
        var session: String?
    }

    /// A request to the daemon that is due.
    enum Request: Equatable {
        case remove(token: String)
        case register(Attributes, token: String? = nil)
        case checkIn(token: String, Attributes)
        case change(token: String, [String: Bool])
        case acknowledge(token: String, cursor: String)

        /// The user with whose ID token the request is sent, so that the device is the user's.
        var owner: String? {
            switch self {
            case .register(let attributes, _), .checkIn(_, let attributes): attributes.session == nil ? nil : attributes.user
            case .remove, .change, .acknowledge: nil
            }
        }
    }

    /// The daemon's limit of topics for a device.
    static let maxPendingTopics = 2_000
    private static let maxTopicBytes = 900
    private static let maxRemovedTokens = 100
    private static let checkInIntervalSeconds: TimeInterval = 24 * 60 * 60

    private(set) var token: String?
    /// The token of a registration under way. A repeated request has the same one, so a lost response leaves no second registration.
    private var proposedToken: String?
    /// The cursor of the last message that the app consumed.
    private(set) var cursor: String?
    private var acknowledged: String?
    /// Pending topic changes: subscribe (true) or unsubscribe; the last call for a topic wins.
    private(set) var pendingTopics: [String: Bool] = [:]
    /// Subscribed topics. A new token must subscribe to them again.
    private(set) var topics: Set<String> = []
    /// Tokens to be removed from the daemon.
    private var removedTokens: [String] = []
    private var wantsToken = false
    private var installation: String?
    private var reported: Attributes?
    private var reportedAt = Date.distantPast

    /// The names in `device.json`, which 0.1 chose and every release reads.
    private enum CodingKeys: String, CodingKey {
        case token, cursor, acknowledged, topics, wantsToken, installation
        case proposedToken
        case pendingTopics = "wishes"
        case removedTokens = "leaving"
        case reported = "told"
        case reportedAt = "toldAt"
    }

    // MARK: Changes by the app

    mutating func requestToken() {
        wantsToken = true
    }

    mutating func setTopic(_ topic: String, isSubscribed: Bool) throws(SignalboxError) {
        // Only the length is checked here; the daemon validates the name.
        guard topic.utf8.count <= DeviceRegistration.maxTopicBytes else {
            throw .rejected(code: "bad_topic", detail: "topic must be at most \(DeviceRegistration.maxTopicBytes) bytes.")
        }
        guard pendingTopics[topic] != nil || pendingTopics.count < DeviceRegistration.maxPendingTopics else {
            throw .rejected(
                code: "too_many_topics",
                detail: "\(DeviceRegistration.maxPendingTopics) topic changes are pending already; retry after the next flush.")
        }
        pendingTopics[topic] = isSubscribed
    }

    mutating func consumed(cursor: String, of token: String) {
        if token == self.token { self.cursor = cursor }
    }

    /// Drops token, topics and pending changes, and queues the token for removal.
    mutating func unregister() {
        var cleared = DeviceRegistration()
        cleared.removedTokens = (removedTokens + [token, proposedToken].compactMap { $0 }).suffix(DeviceRegistration.maxRemovedTokens)
        cleared.installation = installation
        self = cleared
    }

    /// Unregisters if the registration belongs to another installation. `nil` means that collection is disabled.
    mutating func adopt(installation: String?) {
        guard installation != self.installation else { return }
        if self.installation != nil { unregister() }
        self.installation = installation
    }

    // MARK: Requests

    /// Generates the token of the next registration, of 190 random bits.
    mutating func proposeToken() {
        guard token == nil, proposedToken == nil else { return }
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        proposedToken = "sbd_" + String((0..<32).map { _ in alphabet[Int.random(in: alphabet.indices)] })
    }

    /// - Parameter attributes: `nil` while collection is disabled: then only removals are due.
    func nextRequest(_ attributes: Attributes?, at now: Date, topicLimit: Int) -> Request? {
        if let token = removedTokens.first { return .remove(token: token) }
        // The installation changed and `adopt` has not run yet.
        guard let attributes, attributes.installation == installation else { return nil }
        guard let token else { return wantsToken || !pendingTopics.isEmpty ? .register(attributes, token: proposedToken) : nil }
        // `abs`, since the clock may have been set back.
        if attributes != reported || abs(now.timeIntervalSince(reportedAt)) > DeviceRegistration.checkInIntervalSeconds {
            return .checkIn(token: token, attributes)
        }
        if let cursor, cursor != acknowledged { return .acknowledge(token: token, cursor: cursor) }
        if pendingTopics.isEmpty { return nil }
        let some = pendingTopics.sorted { $0.key < $1.key }.prefix(topicLimit)
        return .change(token: token, Dictionary(uniqueKeysWithValues: Array(some)))
    }

    /// Stores a new token. If the installation changed or unregistered during the request, the token is removed again.
    mutating func registered(as token: String, _ attributes: Attributes, at now: Date) {
        if removedTokens.contains(token) { return }
        guard attributes.installation == installation else {
            removedTokens = (removedTokens + [token]).suffix(DeviceRegistration.maxRemovedTokens)
            return
        }
        self.token = token
        proposedToken = nil
        (cursor, acknowledged) = (nil, nil)
        wantsToken = true
        (reported, reportedAt) = (attributes, now)
    }

    /// Marks a request as finished: done, or rejected for good.
    mutating func complete(_ request: Request, isDone: Bool, at now: Date) {
        switch request {
        case .remove(let token): removedTokens.removeAll { $0 == token }
        case .register: break
        // The token may have been replaced during the request; its result does not apply to the new one.
        case .checkIn(let token, let attributes): if token == self.token { (reported, reportedAt) = (attributes, now) }
        case .acknowledge(let token, let cursor): if token == self.token { acknowledged = cursor }
        case .change(let token, let changes):
            guard token == self.token else { return }
            for (topic, joined) in changes {
                // A topic changed again during the request stays pending.
                if pendingTopics[topic] == joined { pendingTopics[topic] = nil }
                guard isDone else { continue }
                if joined { topics.insert(topic) } else { topics.remove(topic) }
            }
        }
    }

    /// Drops a token that the daemon no longer knows. The next one subscribes to the same topics.
    mutating func tokenExpired(_ token: String) {
        guard token == self.token else { return }
        pendingTopics.merge(topics.map { ($0, true) }) { pending, _ in pending }
        topics = []
        self.token = nil
        (cursor, acknowledged) = (nil, nil)
        wantsToken = true
    }
}

extension DeviceRegistration {
    private static let name = "device.json"

    static func read(in folder: URL) -> DeviceRegistration {
        let data = try? Data(contentsOf: folder.appendingPathComponent(name))
        return data.flatMap { try? JSONDecoder().decode(DeviceRegistration.self, from: $0) } ?? DeviceRegistration()
    }

    /// Writes the file atomically.
    func write(in folder: URL) throws(SignalboxError) {
        do {
            try JSONEncoder().encode(self).write(to: folder.appendingPathComponent(DeviceRegistration.name), options: .atomic)
        } catch {
            throw .folderUnusable(path: folder.path, reason: error.localizedDescription)
        }
    }
}
