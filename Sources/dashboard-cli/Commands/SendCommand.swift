// SPDX-License-Identifier: Apache-2.0

import API
import JSON
import Panes
import Platform

/// `send`: sends one message.
enum SendCommand {
    private static let topic = Option("--topic", .text("TOPIC"), "Sends to the subscribers of a topic.")
    private static let condition = Option("--condition", .text("CONDITION"), "Sends to devices that match, as in \"'news' in topics\".")
    private static let title = Option("--title", .text("TEXT"), "The title of the notification.").required
    private static let body = Option("--body", .text("TEXT"), "The body of the notification.")
    private static let label = Option("--label", .text("NAME"), "A label to find the message by.")
    private static let dry = Option("--dry", .none, "Validates the message and counts its devices, without sending.")

    static let command = Command(
        "send", "Sends a message to a topic, or to devices that match a condition.",
        options: [topic, condition, title, body, label, dry, .json] + Option.connection,
        details: """
            It needs a send or admin key. The panes Messages and Deliveries show the progress of the message.
            """
    ) { arguments in
        let body = try json(arguments)
        let response = try await DaemonClient(try Profiles.chosen(arguments)).post("/v1/messages", json: body)
        if arguments.has(.json) { return try Console.put(response + [0x0a]) }
        let message = try PublishedResponse(response: response)
        let devices = message.audience == 1 ? "1 device" : "\(message.audience) devices"
        try Console.print(arguments.has(dry) ? "It would go to \(devices)." : "\(message.id) goes to \(devices).")
    }

    private static func json(_ arguments: Arguments) throws -> [UInt8] {
        guard (arguments.one(topic.name) == nil) != (arguments.one(condition.name) == nil) else {
            throw UsageError(what: "`dashboard-cli send` needs either --topic or --condition.", hint: "See `dashboard-cli send --help`.")
        }
        var json = JSONWriter()
        json.beginObject()
        for option in [topic, condition, label] { write(option, arguments, to: &json) }
        json.key("notification")
        json.beginObject()
        for option in [title, body] { write(option, arguments, to: &json) }
        json.endObject()
        if arguments.has(dry) { json.field("validate_only", true) }
        json.endObject()
        return json.bytes
    }

    /// An option has the name of its field.
    private static func write(_ option: Option, _ arguments: Arguments, to json: inout JSONWriter) {
        if let text = arguments.one(option.name) { json.field(String(option.name.dropFirst(2)), text) }
    }
}
