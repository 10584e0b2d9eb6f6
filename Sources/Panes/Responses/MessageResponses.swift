// SPDX-License-Identifier: Apache-2.0

package import Events
package import Messaging
import Platform

// Responses about topics, devices, messages and deliveries, as far as panes show them.

/// A page of a list.
package struct PageResponse<Item: Decodable & Sendable>: Decodable, Sendable {
    package var items: [Item]
    /// The cursor of the next page; nil on the last one.
    package var next: String?
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

package struct MessageResponse: Decodable, Sendable {
    package struct Target: Decodable, Sendable {
        package var topic: String?
        package var condition: String?
        package var tokens: Int?
    }

    package struct Notification: Decodable, Sendable {
        package var title: String?
        var body: String?
    }

    package var id: String
    package var target: Target
    package var notification: Notification?
    package var data: [String: String]?
    package var text: String?
    package var label: String?
    package var collapseKey: String?
    package var priority: String
    package var stage: String
    package var createdAt: Moment
    package var sendAt: Moment?
    package var sentAt: Moment?
    package var expiresAt: Moment
    package var audience: Int
    package var counts: [String: Int]
    /// Only for a single message, and only if counted in time.
    package var received: Int?
    package var opened: Int?

    package func count(_ state: DeliveryState) -> Int { counts[state.name] ?? 0 }
}

package struct DeliveryResponse: Decodable, Sendable {
    package struct Attempt: Decodable, Sendable {
        var at: Moment
        var milliseconds: Int
        var status: Int?
        var error: String?
        var response: String?
    }

    package var id: String
    package var message: String
    package var token: String?
    package var url: String?
    package var state: String
    package var tries: Int
    package var dueAt: Moment?
    package var changedAt: Moment
    /// Newest last.
    package var attempts: [Attempt]
}
