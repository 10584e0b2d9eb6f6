// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON
package import Platform

extension SentryDecoder {
    /// Decodes a form with a minidump. An event of it that is invalid or too large is left out, because the dump is worth more.
    ///
    /// - Parameter id: The ID if the event has none. It derives from the dump, so that a repeated upload counts once.
    package func minidump(_ form: MinidumpForm, id: UUID128, received: Timestamp) throws(Refusal) -> SentryRequest {
        try parser.withReader { json throws(Refusal) in
            var request = SentryRequest()
            let writer = MinidumpEvent(form, received: received)
            let base = form.event.isEmpty ? nil : try? SentryDecoder.document(form.event, 0..<form.event.count, json, "event")
            if base == nil, !form.event.isEmpty { request.skip("event") }
            let text = writer.json(base, withBreadcrumbs: true)
            let fitting = text.count <= CrashLimits.reportBytes ? text : writer.json(base, withBreadcrumbs: false)
            let tape = try SentryDecoder.readableDocument(fitting, json)
            let given = tape.shortText("event_id", of: 0, limit: FixedLimits.idLength)
            let event = SentryEvent(
                tape, id: given ?? String(decoding: id.text, as: UTF8.self), session: nil, received: received)
            request.add(event, withMinidump: Array(form.dump), from: 0)
            request.add(form.files)
            return request
        }
    }

    /// Returns the event; an empty one if it has too many members.
    private static func readableDocument(_ text: [UInt8], _ json: JSONReader) throws(Refusal) -> JSONTape {
        if let tape = try? document(text, 0..<text.count, json, "event") { return tape }
        return try document(Array("{}".utf8), 0..<2, json, "event")
    }

    /// Returns the event of an envelope with a minidump only.
    static func minidumpEvent(
        _ dump: ArraySlice<UInt8>, of envelope: SentryEnvelope, _ id: UUID128, _ json: JSONReader, _ received: Timestamp
    ) throws(Refusal) -> SentryEvent {
        var text = JSONWriter()
        text.beginObject()
        text.field("platform", "native")
        text.field("level", "fatal")
        if let time = MinidumpEvent.time(of: dump, received: received) { text.field("timestamp", time.rfc3339) }
        text.endObject()
        let tape = try document(text.bytes, 0..<text.bytes.count, json, "event")
        return SentryEvent(tape, id: envelope.eventID ?? String(decoding: id.text, as: UTF8.self), session: nil, received: received)
    }
}

/// The event of a minidump: that of its sender, with the form's fields and annotations.
struct MinidumpEvent {
    /// The age up to which the time of the dump is the time of the crash.
    private static let oldest = Timestamp.Span.hours(72)
    private static let owned: Set<String> = ["extra", "type"]

    private let form: MinidumpForm
    private let received: Timestamp

    init(_ form: MinidumpForm, received: Timestamp) {
        (self.form, self.received) = (form, received)
    }

    /// Returns the time in a dump's header. Nil if it is too old or later than now, which a wrong clock or an old sample is.
    static func time(of dump: ArraySlice<UInt8>, received: Timestamp) -> Timestamp? {
        guard dump.count >= 24 else { return nil }
        let seconds = dump.dropFirst(20).prefix(4).reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let time = Timestamp(milliseconds: seconds * 1_000)
        return time <= received && received - time <= oldest ? time : nil
    }

    func json(_ base: JSONTape?, withBreadcrumbs: Bool) -> [UInt8] {
        var json = JSONWriter(reserving: (base?.bytes.count ?? 0) + 1_024)
        var known: Set<String> = []
        json.beginObject()
        if let base {
            for key in base.keys(of: 0) {
                guard let name = base.text(base[key]), !isReplaced(name, withBreadcrumbs), known.insert(name).inserted else { continue }
                json.rawKey(base.bytes[base.slice(key)])
                json.raw(base.bytes[base.slice(base[key].next)])
            }
        }
        form.fields.writeMembers(to: &json) { known.contains($0) || MinidumpEvent.owned.contains($0) }
        writeMissing(to: &json) { known.contains($0) || form.fields.has($0) }
        writeExtra(base, to: &json)
        if withBreadcrumbs, !form.breadcrumbs.isEmpty { writeBreadcrumbs(to: &json) }
        json.endObject()
        return json.bytes
    }

    private func isReplaced(_ name: String, _ withBreadcrumbs: Bool) -> Bool {
        MinidumpEvent.owned.contains(name) || name == "breadcrumbs" && !form.breadcrumbs.isEmpty
    }

    private func writeMissing(to json: inout JSONWriter, unless has: (String) -> Bool) {
        if !has("platform") { json.field("platform", "native") }
        if !has("level") { json.field("level", "fatal") }
        if !has("timestamp"), let time = MinidumpEvent.time(of: form.dump, received: received) { json.field("timestamp", time.rfc3339) }
        // Electron sends its own version as `ver`, and that of the app under another name.
        if !has("release"), let product = form.annotation("_productName", "prod"), let version = form.annotation("_version", "ver") {
            json.field("release", "\(product)@\(version)")
        }
    }

    /// Writes the event's own custom values and the annotations.
    private func writeExtra(_ base: JSONTape?, to json: inout JSONWriter) {
        json.key("extra")
        json.beginObject()
        if let base, let extra = base.value("extra", of: 0), base[extra].kind == .object {
            for key in base.keys(of: extra) {
                json.rawKey(base.bytes[base.slice(key)])
                json.raw(base.bytes[base.slice(base[key].next)])
            }
        }
        for annotation in form.annotations.prefix(CrashLimits.customKeys + 1) { json.field(annotation.name, annotation.value) }
        json.endObject()
    }

    private func writeBreadcrumbs(to json: inout JSONWriter) {
        json.key("breadcrumbs")
        json.beginArray()
        for breadcrumb in form.breadcrumbs { json.raw(breadcrumb[...]) }
        json.endArray()
    }
}
