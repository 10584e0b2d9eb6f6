// SPDX-License-Identifier: Apache-2.0

/// Every pane, in the order of their keys.
enum Panes {
    static let all: [any Pane] = [
        OverviewPane(), LivePane(), EventsPane(), ScreensPane(), UsersPane(), FunnelsPane(), RevenuePane(), SessionsPane(), IssuesPane(),
        TopicsPane(), MessagesPane(), DeliveriesPane(), QuarantinePane(), SystemPane(),
    ]

    /// What can be opened by its id.
    static let things = [
        Jump.Thing("issue", of: "Crashes") { IssuePane(id: $0) },
        Jump.Thing("message", of: "Messages") { MessagePane(id: $0) },
        Jump.Thing("delivery", of: "Deliveries") { DeliveryPane(id: $0) },
        Jump.Thing("person", of: "Users") { PersonPane(id: $0) },
        Jump.Thing("topic", of: "Topics") { SubscribersPane(topic: $0) },
    ]
}
