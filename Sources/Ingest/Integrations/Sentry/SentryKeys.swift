// SPDX-License-Identifier: Apache-2.0

import Crashes
import JSON

/// The fields of an event without a native field, as custom keys. The app's own come first.
struct SentryKeys {
    private let event: SentryEvent
    private var tape: JSONTape { event.tape }
    /// One more than are kept, so that the report states that there were more.
    private static let most = CrashLimits.customKeys + 1

    init(_ event: SentryEvent) {
        self.event = event
    }

    func write(to json: inout TapeWriter) {
        json.key("custom_keys")
        json.beginObject()
        var left = SentryKeys.most
        writeTags(to: &json, &left)
        if let extra = tape.value("extra", of: 0) { writeFields(of: extra, prefix: "", to: &json, &left) }
        writePlain(to: &json, &left)
        writeContexts(to: &json, &left)
        json.endObject()
    }

    /// Writes tags given as an object or an array of pairs.
    private func writeTags(to json: inout TapeWriter, _ left: inout Int) {
        guard let tags = tape.value("tags", of: 0) else { return }
        writeFields(of: tags, prefix: "", to: &json, &left)
        for pair in tape.elements(of: tags) where left > 0 && tape[pair].kind == .array && tape[pair].children == 2 {
            let name = pair + 1
            guard tape[name].kind == .string else { continue }
            write(tape[name].next, to: &json, &left) { tape.lossyText(tape[name]) }
        }
    }

    private func writeFields(of object: Int, prefix: String, to json: inout TapeWriter, _ left: inout Int) {
        for key in tape.keys(of: object) where left > 0 { write(tape[key].next, to: &json, &left) { prefix + tape.lossyText(tape[key]) } }
    }

    /// Writes a key. The name is not computed once the limit is reached.
    private func write(_ value: Int, to json: inout TapeWriter, _ left: inout Int, name: () -> String) {
        guard left > 0, tape[value].kind != .null else { return }
        left -= 1
        event.copy(value, as: name(), to: &json)
    }

    private func writePlain(to json: inout TapeWriter, _ left: inout Int) {
        if event.exceptions != nil, let message = SentryMessage(tape) {
            left -= 1
            json.field("message", message.text)
        }
        for name in ["logger", "transaction", "server_name"] as [StaticString] {
            if let value = tape.value(name, of: 0) { write(value, to: &json, &left) { name.description } }
        }
        if let user = tape.value("user", of: 0) {
            for name in ["email", "username"] as [StaticString] {
                if let value = tape.value(name, of: user) { write(value, to: &json, &left) { "user.\(name)" } }
            }
        }
        if let request = tape.value("request", of: 0) {
            for name in ["method", "url"] as [StaticString] {
                if let value = tape.value(name, of: request) { write(value, to: &json, &left) { "request.\(name)" } }
            }
        }
    }

    /// Writes each field of contexts without native fields.
    private func writeContexts(to json: inout TapeWriter, _ left: inout Int) {
        guard let contexts = tape.value("contexts", of: 0) else { return }
        for key in tape.keys(of: contexts) where left > 0 {
            // The context's name is repeated for each of its fields.
            let (name, context) = (tape.lossyText(tape[key]).prefix(scalars: CrashLimits.nameCharacters), tape[key].next)
            switch name {
            case "app", "culture", "device": continue
            case "trace": if let id = tape.value("trace_id", of: context) { write(id, to: &json, &left) { "trace_id" } }
            default:
                for field in tape.keys(of: context) where left > 0 && !tape.isText(tape[field], "type") {
                    write(tape[field].next, to: &json, &left) { "\(name).\(tape.lossyText(tape[field]))" }
                }
            }
        }
    }
}
