// SPDX-License-Identifier: Apache-2.0

import JSON
import MessageStore
import Messaging
import Platform
import AcrossStores

extension JSONWriter {
    /// The fields of a message to a device of a person, inside an object.
    mutating func write(_ told: PersonDelivery, _ view: DeviceView) {
        let (delivery, content) = (told.delivery, told.content)
        field("id", delivery.webhookID)
        field("message", content.id)
        field("timestamp", content.sent.rfc3339)
        if let token = delivery.token { field("token", view.token(token)) }
        if let topic = content.topic { field("topic", topic) }
        if let condition = content.condition { field("condition", condition) }
        if let label = content.label { field("label", label) }
        if let notification = content.notification {
            key("notification")
            raw(notification[...])
        }
        field("state", delivery.state.name)
        field("changed_at", delivery.changed.rfc3339)
    }

    /// All of it, with what programs read and each attempt.
    mutating func writeWhole(_ told: PersonDelivery) {
        beginObject()
        write(told, .whole)
        if let data = told.content.data {
            key("data")
            raw(data[...])
        }
        field("tries", told.delivery.attempts)
        write(told.delivery.log)
        endObject()
    }
}
