// SPDX-License-Identifier: Apache-2.0

import API
import JSON
import Platform

/// A test message: asks for the topic, the title and a confirmation.
struct TestMessage {
    private let view: PaneView
    private let topics: Page<TopicResponse>?

    init(_ view: PaneView) {
        self.view = view
        topics = view.results.value(TopicsPane.query)
    }

    /// Asks for the topic first.
    func effect() -> PaneEffect {
        if let why = view.whyNotSend { return .unavailable(why) }
        let most = (topics?.items ?? []).sorted { $0.subscribers > $1.subscribers }.map(\.topic)
        let words = most.filter { !$0.hasPrefix(TopicNames.own) }
        return .prompt(Prompt("Test message", "The topic to send to.", limit: 900, words: words) { [self] in effect(to: $0.trimmed) })
    }

    func effect(to topic: String) -> PaneEffect {
        if let why = view.whyNotSend ?? whyNot(topic) { return .unavailable(why) }
        return .prompt(
            Prompt("Test message to \(topic)", "The title of the notification.") { [self] text in
                let title = text.trimmed
                return title.isEmpty ? .unavailable("The title is empty.") : .confirm(action(topic, title))
            })
    }

    private func whyNot(_ topic: String) -> String? {
        if topic.isEmpty { return "The topic is empty." }
        if topic.hasPrefix(TopicNames.own) { return "Only the daemon sends to topics like «\(topic)»." }
        guard let topics, topics.next == nil, subscribers(of: topic) == nil else { return nil }
        return "The topic «\(topic)» has no subscribers."
    }

    private func subscribers(of topic: String) -> Int? { topics?.items.first { $0.topic == topic }?.subscribers }

    private func action(_ topic: String, _ title: String) -> PendingAction {
        let devices = subscribers(of: topic).map { "\($0.of("device", "devices")) of " } ?? ""
        var json = JSONWriter()
        json.beginObject()
        json.field("topic", topic)
        json.field("label", "test")
        json.key("notification")
        json.beginObject()
        json.field("title", title)
        json.endObject()
        json.endObject()
        return PendingAction(confirmation: "Send «\(title)» to \(devices)the topic \(topic)?", path: "/v1/messages", body: json.bytes) {
            (sent: PublishedResponse) in
            "Sent to \(sent.audience == 1 ? "1 device" : "\(sent.audience) devices")."
        }
    }
}
