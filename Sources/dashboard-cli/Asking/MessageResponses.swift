// SPDX-License-Identifier: Apache-2.0

import Events
import Messaging
import Platform

// What is answered about topics, devices, messages and deliveries, as far as it is shown.

/// The first items of a list.
struct PageResponse<Item: Decodable & Sendable>: Decodable, Sendable {
    var items: [Item]
    /// Where the next page begins; nil where there is none.
    var next: String?
}

struct TopicResponse: Decodable, Sendable {
    var topic: String
    var subscribers: Int
    var createdAt: Moment
}

struct DeviceResponse: Decodable, Sendable {
    struct Endpoint: Decodable, Sendable {
        var type: String
        var url: String?
    }

    var token: String
    var platform: String
    var endpoint: Endpoint
    var userId: String?
    var appVersion: String?
    var state: String
    var stale: Bool
    var seenAt: Moment
}

struct MessageResponse: Decodable, Sendable {
    struct Target: Decodable, Sendable {
        var topic: String?
        var condition: String?
        var tokens: Int?
    }

    struct Notification: Decodable, Sendable {
        var title: String?
        var body: String?
    }

    var id: String
    var target: Target
    var notification: Notification?
    var data: [String: String]?
    var text: String?
    var label: String?
    var collapseKey: String?
    var priority: String
    var stage: String
    var createdAt: Moment
    var sendAt: Moment?
    var sentAt: Moment?
    var expiresAt: Moment
    var audience: Int
    var counts: [String: Int]
    /// Of one message alone, and only where they could be counted in time.
    var received: Int?
    var opened: Int?

    func count(_ state: DeliveryState) -> Int { counts[state.name] ?? 0 }
}

struct DeliveryResponse: Decodable, Sendable {
    struct Attempt: Decodable, Sendable {
        var at: Moment
        var milliseconds: Int
        var status: Int?
        var error: String?
        var response: String?
    }

    var id: String
    var message: String
    var token: String?
    var url: String?
    var state: String
    var tries: Int
    var dueAt: Moment?
    var changedAt: Moment
    /// The newest last.
    var attempts: [Attempt]
}
