// SPDX-License-Identifier: Apache-2.0

import Crashes
import JSON

/// The message of an event without an exception, under any of its historical names.
struct SentryMessage {
    let text: String
    /// The message template, if the event has one.
    let template: String?

    init?(_ tape: JSONTape) {
        for place in [tape.value("logentry", of: 0), tape.value("message", of: 0)].compactMap(\.self) {
            let template = SentryMessage.text(tape.value("message", of: place) ?? place, tape)
            let filled = tape.value("formatted", of: place).flatMap { SentryMessage.text($0, tape) }
            let params = tape.value("params", of: place)
            guard let text = filled ?? template.map({ SentryMessage.fill($0, params, tape) }) else { continue }
            self.text = text
            self.template = template == text ? nil : template
            return
        }
        return nil
    }

    private static func text(_ place: Int, _ tape: JSONTape) -> String? {
        guard tape[place].kind == .string else { return nil }
        let text = tape.lossyText(tape[place])
        return text.utf8.allSatisfy { $0 == 0x20 || $0 == 0x0a } ? nil : text
    }

    /// Fills placeholders such as `%s`, `%d` or `{}` with an array's values, as the SDKs' loggers do.
    private static func fill(_ template: String, _ params: Int?, _ tape: JSONTape) -> String {
        guard let params, tape[params].kind == .array, tape[params].children > 0 else { return template }
        var values = tape.elements(of: params).prefix(100).map { tape.lossyText(tape[$0]) }[...]
        var out: [UInt8] = []
        var rest = Array(template.utf8)[...]
        while let byte = rest.popFirst() {
            guard let next = rest.first, out.count < CrashLimits.reasonCharacters * 4 else {
                out.append(byte)
                continue
            }
            let isEscaped = byte == UInt8(ascii: "%") && next == byte
            let isPlace = byte == UInt8(ascii: "%") && "sdifr".utf8.contains(next) || byte == UInt8(ascii: "{") && next == UInt8(ascii: "}")
            if isEscaped {
                out.append(byte)
                rest.removeFirst()
            } else if isPlace, let value = values.popFirst() {
                out.append(contentsOf: value.utf8)
                rest.removeFirst()
            } else {
                out.append(byte)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
