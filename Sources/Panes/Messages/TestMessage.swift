// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// A message by hand, to find out whether it comes: first its topic, then its title, then a yes.
struct TestMessage {
    private let view: PaneView
    private let topics: PageResponse<TopicResponse>?

    init(_ view: PaneView) {
        self.view = view
        topics = view.results.value(TopicsPane.query)
    }

    /// To a topic that is still to be named.
    func effect() -> PaneEffect {
        if let why = view.whyNotSend { return .unavailable(why) }
        let most = (topics?.items ?? []).sorted { $0.subscribers > $1.subscribers }.map(\.topic)
        let words = most.filter { !$0.hasPrefix(TopicNames.own) }
        return .prompt(Prompt("Test message", "The topic whose devices get it.", limit: 900, words: words) { [self] in effect(to: $0.trimmed) })
    }

    func effect(to topic: String) -> PaneEffect {
        if let why = view.whyNotSend ?? whyNot(topic) { return .unavailable(why) }
        return .prompt(
            Prompt("Test message to \(topic)", "Its title, which is what people are shown.") { [self] text in
                let title = text.trimmed
                return title.isEmpty ? .unavailable("A message without a title shows nothing.") : .confirm(action(topic, title))
            })
    }

    private func whyNot(_ topic: String) -> String? {
        if topic.isEmpty { return "A message needs a topic to go to." }
        if topic.hasPrefix(TopicNames.own) { return "Only the daemon itself sends to topics like «\(topic)»." }
        guard let topics, topics.next == nil, subscribers(of: topic) == nil else { return nil }
        return "Nobody subscribes to «\(topic)»: a test message would reach no device."
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
            let audience = $0.text("audience")
            return "It goes to \(audience == "1" ? "1 device" : "\(audience) devices")."
        }
    }
}
