import Events

/// What is answered about one person, as far as it is shown.
struct PersonAnswer: Decodable, Sendable {
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

    /// An event, or a crash: that has an issue and no name.
    struct Item: Decodable, Sendable {
        var id: String
        var seq: Int64?
        var name: String?
        var issue: String?
        var kind: String?
        var timestamp: Moment
        var receivedAt: Moment
        var sessionId: String?
        var context: [String: AnyText]?
        var params: [String: AnyText]?
        var flags: [String]?
        var release: String?
        var platform: String?
        var osVersion: String?
        var deviceModel: String?
        var late: Bool?
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

extension PersonAnswer.Item {
    /// Events and crashes are numbered apart, and either may have any id.
    var key: String { seq.map { "event \($0)" } ?? "crash \(id)" }
}
