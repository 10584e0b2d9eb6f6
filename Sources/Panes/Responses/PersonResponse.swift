// SPDX-License-Identifier: Apache-2.0

import Events

/// A person, as far as panes show it.
struct PersonResponse: Decodable, Sendable {
    struct Property: Decodable, Sendable {
        var value: AnyText
        var timestamp: Moment
    }

    /// An installation of a user, or a user of an installation.
    struct Partner: Decodable, Sendable {
        var userId: String?
        var installationId: String?
        var firstSeen: Moment?
        var lastSeen: Moment?
        var alias: Bool
    }

    /// An event; a crash, which has an issue and no name; or a message.
    struct Item: Decodable, Sendable {
        var id: String
        var seq: Int64?
        var name: String?
        var issue: String?
        var message: String?
        var kind: String?
        var timestamp: Moment
        /// Nil for messages.
        var receivedAt: Moment?
        var sessionId: String?
        var context: [String: AnyText]?
        var params: [String: AnyText]?
        var flags: [String]?
        var release: String?
        var platform: String?
        var osVersion: String?
        var deviceModel: String?
        var late: Bool?
        var topic: String?
        var condition: String?
        var label: String?
        var notification: MessageResponse.Notification?
        var state: String?
    }

    var firstSeen: Moment?
    var lastSeen: Moment?
    var properties: [String: Property]
    var installations: [Partner]?
    var users: [Partner]?
    /// Newest first, by time of receipt.
    var items: [Item]
    /// The cursor of older items; nil if there are none.
    var next: String?
}

extension PersonResponse.Item {
    /// A key that is unique among events, crashes and messages.
    var key: String { seq.map { "event \($0)" } ?? (message == nil ? "crash \(id)" : "message \(id)") }
}
