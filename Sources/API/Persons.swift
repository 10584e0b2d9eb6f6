// SPDX-License-Identifier: Apache-2.0

package import Events
package import Messaging

/// The profile of a user or an installation.
package struct ProfileResponse: Codable, Sendable {
    package struct Property: Codable, Sendable {
        package var value: Embedded<AnyText>
        package var timestamp: Moment

        package init(value: Embedded<AnyText>, timestamp: Moment) {
            self.value = value
            self.timestamp = timestamp
        }
    }

    /// An installation of a user, or a user of an installation.
    package struct Partner: Codable, Sendable {
        package var userId: String?
        package var installationId: String?
        package var firstSeen: Moment?
        package var lastSeen: Moment?
        package var alias: Bool

        package init(userId: String? = nil, installationId: String? = nil, firstSeen: Moment? = nil, lastSeen: Moment? = nil, alias: Bool) {
            self.userId = userId
            self.installationId = installationId
            self.firstSeen = firstSeen
            self.lastSeen = lastSeen
            self.alias = alias
        }
    }

    package var userId: String?
    package var installationId: String?
    package var firstSeen: Moment?
    package var lastSeen: Moment?
    package var properties: Members<Property>
    /// Of a user.
    package var installations: [Partner]?
    /// Of an installation.
    package var users: [Partner]?

    package init(
        userId: String? = nil, installationId: String? = nil, firstSeen: Moment? = nil, lastSeen: Moment? = nil, properties: Members<Property>,
        installations: [Partner]? = nil, users: [Partner]? = nil
    ) {
        self.userId = userId
        self.installationId = installationId
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.properties = properties
        self.installations = installations
        self.users = users
    }
}

/// A person: the profile's fields beside a page of the timeline, the newest item first.
package struct PersonResponse: Codable, Sendable {
    package var profile: ProfileResponse
    package var timeline: Page<TimelineItem>

    package init(profile: ProfileResponse, timeline: Page<TimelineItem>) {
        self.profile = profile
        self.timeline = timeline
    }

    package init(from decoder: any Decoder) throws {
        profile = try ProfileResponse(from: decoder)
        timeline = try Page(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try profile.encode(to: encoder)
        try timeline.encode(to: encoder)
    }
}

/// An item of a timeline: a crash has an `issue`, a message to a device names its `message`, an event has neither.
package enum TimelineItem: Codable, Sendable {
    case event(Embedded<EventResponse>)
    case crash(CrashResponse)
    case message(PersonDeliveryResponse)

    private struct Kind: Decodable {
        var issue: String?
        var message: String?
    }

    package init(from decoder: any Decoder) throws {
        let kind = try Kind(from: decoder)
        if kind.message != nil {
            self = .message(try PersonDeliveryResponse(from: decoder))
        } else if kind.issue != nil {
            self = .crash(try CrashResponse(from: decoder))
        } else {
            self = .event(try Embedded(from: decoder))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .event(let event): try event.encode(to: encoder)
        case .crash(let crash): try crash.encode(to: encoder)
        case .message(let message): try message.encode(to: encoder)
        }
    }
}

/// A message to a device of a person. Timelines leave out `data`, `tries` and `attempts`; exports have all.
package struct PersonDeliveryResponse: Codable, Sendable {
    package var id: String
    package var message: String
    package var timestamp: Moment
    package var token: String?
    package var topic: String?
    package var condition: String?
    package var label: String?
    package var notification: Embedded<NotificationResponse>?
    package var state: Named<DeliveryState>
    package var changedAt: Moment
    package var data: Embedded<[String: String]>?
    package var tries: Int?
    package var attempts: [AttemptResponse]?

    package init(
        id: String, message: String, timestamp: Moment, token: String? = nil, topic: String? = nil, condition: String? = nil, label: String? = nil,
        notification: Embedded<NotificationResponse>? = nil, state: DeliveryState, changedAt: Moment, data: Embedded<[String: String]>? = nil,
        tries: Int? = nil, attempts: [AttemptResponse]? = nil
    ) {
        self.id = id
        self.message = message
        self.timestamp = timestamp
        self.token = token
        self.topic = topic
        self.condition = condition
        self.label = label
        self.notification = notification
        self.state = .known(state)
        self.changedAt = changedAt
        self.data = data
        self.tries = tries
        self.attempts = attempts
    }
}

/// The numbers of rows that erasure or anonymisation removed or changed, or with `dry_run` would.
package struct ErasureResponse: Codable, Sendable {
    package var events: Int
    package var purchases: Int
    package var quarantined: Int
    package var properties: Int
    package var pairs: Int
    package var days: Int
    package var installations: Int
    package var registrations: Int
    package var deliveries: Int
    package var crashes: Int
    package var accounts: Int
    package var documents: Int
    package var files: Int
    package var runs: Int
    package var dryRun: Bool
    /// Whether later data is blocked; only for erasure.
    package var blocked: Bool?

    package init(
        events: Int, purchases: Int, quarantined: Int, properties: Int, pairs: Int, days: Int, installations: Int, registrations: Int,
        deliveries: Int, crashes: Int, accounts: Int, documents: Int, files: Int, runs: Int, dryRun: Bool, blocked: Bool? = nil
    ) {
        self.events = events
        self.purchases = purchases
        self.quarantined = quarantined
        self.properties = properties
        self.pairs = pairs
        self.days = days
        self.installations = installations
        self.registrations = registrations
        self.deliveries = deliveries
        self.crashes = crashes
        self.accounts = accounts
        self.documents = documents
        self.files = files
        self.runs = runs
        self.dryRun = dryRun
        self.blocked = blocked
    }
}

/// Everything that is stored of a person. The daemon streams it, page by page.
package struct PersonExport: Codable, Sendable {
    package struct Lists: Codable, Sendable {
        package var app: Int64
        package var events: [Embedded<EventResponse>]
        package var quarantined: [QuarantinedResponse]
        package var registrations: [DeviceResponse]
        package var deliveries: [PersonDeliveryResponse]
        package var crashes: [CrashResponse]
        package var attachments: [ExportedAttachment]
        package var minidumps: [ExportedMinidump]
        /// The user's account; none for an installation.
        package var accounts: [AccountResponse]?
        package var accountMails: [AccountMailResponse]?
        package var accountEvents: [AccountEventResponse]?
        /// The documents that belong to the user; none for an installation.
        package var documents: [ExportedDocument]?
        /// The files of the user, without their bytes; none for an installation.
        package var files: [FileResponse]?
        package var runs: [RunResponse]
        package var functionLogs: [LogLineResponse]
    }

    package var profile: ProfileResponse
    package var lists: Lists

    package init(from decoder: any Decoder) throws {
        profile = try ProfileResponse(from: decoder)
        lists = try Lists(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try profile.encode(to: encoder)
        try lists.encode(to: encoder)
    }
}
