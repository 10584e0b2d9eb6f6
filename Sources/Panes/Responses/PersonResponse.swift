// SPDX-License-Identifier: Apache-2.0

import Events

/// What is answered about one person, as far as it is shown.
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

    /// An event; or a crash, which has an issue and no name; or a message to a device, which says so.
    struct Item: Decodable, Sendable {
        var id: String
        var seq: Int64?
        var name: String?
        var issue: String?
        var message: String?
        var kind: String?
        var timestamp: Moment
        /// Not of messages.
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
    /// The newest first, by when they came.
    var items: [Item]
    /// Where older ones begin; nil where there are none.
    var next: String?
}

extension PersonResponse.Item {
    /// Events and crashes are numbered apart, and each may have any id.
    var key: String { seq.map { "event \($0)" } ?? (message == nil ? "crash \(id)" : "message \(id)") }
}
