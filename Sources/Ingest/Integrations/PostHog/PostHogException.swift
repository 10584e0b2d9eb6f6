// SPDX-License-Identifier: Apache-2.0

import JSON

/// Translates exception events to crash reports.
extension PostHogEvent {
    func crash(to json: inout TapeWriter) {
        json.beginObject()
        json.id("id", copying: fields[.uuid], of: tape)
        writeTime(to: &json)
        writePerson(to: &json)
        writeSession(to: &json)
        json.field("level", copying: property("$exception_level"), of: tape)
        json.field("type", copying: property("$exception_type"), of: tape)
        json.field("reason", copying: property("$exception_message"), of: tape)
        writeExceptions(to: &json)
        writeFingerprint(to: &json)
        json.field("release", copying: property("$release") ?? own[.appVersion], of: tape)
        writeContext(to: &json)
        json.endObject()
    }

    /// Copies the exceptions in reverse, since PostHog lists the outermost first. Both list the oldest frame first.
    private func writeExceptions(to json: inout TapeWriter) {
        guard let list = property("$exception_list"), tape[list].kind == .array else { return }
        json.key("exceptions")
        json.beginArray()
        for exception in tape.elements(of: list).reversed() { json.copy(exception, of: tape) }
        json.endArray()
    }

    /// Copies the fingerprint, which usually is one text.
    private func writeFingerprint(to json: inout TapeWriter) {
        guard let fingerprint = property("$exception_fingerprint") else { return }
        json.key("fingerprint")
        if tape[fingerprint].kind == .string { json.beginArray() }
        json.copy(fingerprint, of: tape)
        if tape[fingerprint].kind == .string { json.endArray() }
    }
}
