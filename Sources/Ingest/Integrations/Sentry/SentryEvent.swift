// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON
import Platform

/// An event of a Sentry SDK, translated to a crash report. Most fields have the same names and are copied.
struct SentryEvent {
    let tape: JSONTape
    let id: String
    /// The event ID in Sentry's form, without dashes.
    let plainID: String
    private let session: SentrySession?

    /// - Parameter id: The envelope's event ID. It takes precedence over the event's own.
    /// - Parameter session: The session of the envelope.
    init(_ tape: JSONTape, id: String?, session: SentrySession?, received: Timestamp) {
        self.tape = tape
        self.session = session
        let given = id ?? tape.shortText("event_id", of: 0, limit: FixedLimits.idLength)
        var made = ServerIDs(received: received, first: nil)
        let uuid = given.map { UUID128(sentry: $0) } ?? made.take()
        self.id = uuid.map { String(decoding: $0.text, as: UTF8.self) } ?? given ?? ""
        plainID = uuid?.plainText ?? self.id
    }

    /// Whether the event is an error. Older SDKs send transactions in the same form.
    var isError: Bool {
        guard let type = tape.value("type", of: 0).flatMap({ tape.text(tape[$0]) }) else { return true }
        return type != "transaction"
    }

    func write(to json: inout TapeWriter) {
        json.beginObject()
        json.field("id", id)
        if let time = tape.moment("timestamp", of: 0) { json.field("timestamp", time) }
        json.field("level", level)
        if let platform = tape.shortText("platform", of: 0, limit: FixedLimits.contextLength) { json.field("platform", platform) }
        writeType(to: &json)
        copy("threads", to: &json)
        copy("breadcrumbs", to: &json)
        if let images = tape.value("debug_meta", of: 0).flatMap({ tape.value("images", of: $0) }) { copy(images, as: "images", to: &json) }
        writeSender(to: &json)
        writeContext(to: &json)
        SentryKeys(self).write(to: &json)
        json.endObject()
    }

    private var level: String {
        switch tape.value("level", of: 0).flatMap({ tape.text(tape[$0]) }) {
        case "fatal", "critical": "fatal"
        case "warning", "warn": "warning"
        case "info", "log": "info"
        case "debug", "trace": "debug"
        default: "error"
        }
    }

    func copy(_ name: StaticString, to json: inout TapeWriter) {
        if let place = tape.value(name, of: 0) { copy(place, as: name.description, to: &json) }
    }

    func copy(_ place: Int, as name: String, to json: inout TapeWriter) {
        json.key(text: name)
        json.copy(place, of: tape)
    }
}

// MARK: - Error

extension SentryEvent {
    /// Writes the exceptions, or else the message.
    private func writeType(to json: inout TapeWriter) {
        let message = SentryMessage(tape)
        if let exceptions {
            copy(exceptions, as: "exceptions", to: &json)
            if !isNamed(exceptions) { json.field("type", "Error") }
            if let message, !hasValue(exceptions) { json.field("reason", message.text) }
        } else {
            if let message { json.field("reason", message.text) } else { json.field("type", "event") }
            if tape.value("threads", of: 0) == nil { copy("stacktrace", to: &json) }
        }
        if let template = message?.template, exceptions == nil { json.field("message_template", template) }
        if let parts = tape.value("fingerprint", of: 0), tape[parts].kind == .array {
            copy(parts, as: "fingerprint", to: &json)
        } else if exceptions == nil, !hasStack, let template = message?.template {
            // A message template states exactly which part of the text is constant.
            json.key("fingerprint")
            json.beginArray()
            json.string(template)
            json.endArray()
        }
    }

    /// Nil if the event has none.
    var exceptions: Int? {
        tape.value("exception", of: 0).flatMap { tape.lastEntry(of: $0) == nil ? nil : $0 }
    }

    /// Whether the exception that names the report has a message.
    private func hasValue(_ exceptions: Int) -> Bool {
        tape.lastEntry(of: exceptions).flatMap { tape.value("value", of: $0) }.map { tape[$0].kind != .null } ?? false
    }

    private var hasStack: Bool {
        tape.value("stacktrace", of: 0) != nil || tape.value("threads", of: 0).flatMap { tape.lastEntry(of: $0) } != nil
    }

    /// Whether the exception that names the report has a type, or a signal that serves as one.
    private func isNamed(_ exceptions: Int) -> Bool {
        guard let last = tape.lastEntry(of: exceptions) else { return false }
        if tape.shortText("type", of: last, limit: .max) != nil { return true }
        let meta = tape.value("mechanism", of: last).flatMap { tape.value("meta", of: $0) }
        return meta.map { tape.value("signal", of: $0) != nil || tape.value("mach_exception", of: $0) != nil } ?? false
    }
}

extension JSONTape {
    /// Returns the last object of a list: of an array, of the array `values` of an object, or the object itself.
    fileprivate func lastEntry(of place: Int) -> Int? {
        switch self[place].kind {
        case .array: return elements(of: place).filter { self[$0].kind == .object && self[$0].children > 0 }.last
        case .object:
            if let values = value("values", of: place) { return self[values].kind == .array ? lastEntry(of: values) : nil }
            return keys(of: place).contains { !isText(self[$0], "values") } ? place : nil
        default: return nil
        }
    }
}

// MARK: - User and context

extension SentryEvent {
    private func writeSender(to json: inout TapeWriter) {
        let user = tape.value("user", of: 0)
        // The order in which SDKs choose the user of a session.
        let name = user.flatMap { tape.shortText("id", of: $0) ?? tape.shortText("email", of: $0) ?? tape.shortText("username", of: $0) }
        if let name { json.field("user_id", name) }
        let device = tape.contextText("device", "id") ?? tape.contextText("app", "device_app_hash")
        // With the installation of its session, both belong to the same user.
        if let installation = session?.installation ?? device ?? name { json.field("installation_id", installation) }
        if let session { json.field("session_id", session.id) }
    }

    private func writeContext(to json: inout TapeWriter) {
        if let release = tape.shortText("release", of: 0, limit: CrashLimits.releaseCharacters) { json.field("release", release) }
        let build = tape.shortText("dist", of: 0, limit: FixedLimits.contextLength) ?? tape.contextText("app", "app_build")
        if let build { json.field("build", build) }
        let user = tape.value("user", of: 0)
        let values: [(StaticString, String?)] = [
            ("platform", platform), ("app_version", tape.contextText("app", "app_version")), ("os_version", tape.contextText("os", "version")),
            ("device_model", tape.contextText("device", "model")),
            ("locale", tape.contextText("culture", "locale") ?? tape.contextText("device", "locale")),
            ("country", user.flatMap { tape.value("geo", of: $0) }.flatMap { tape.shortText("country_code", of: $0) }),
            ("environment", tape.shortText("environment", of: 0) ?? "production"),
        ]
        json.key("context")
        json.beginObject()
        for (name, value) in values {
            if let value { json.field(name, value) }
        }
        json.endObject()
    }

    /// The platform by the operating system, as our own clients report it, else by the SDK.
    private var platform: String? {
        let own = tape.shortText("platform", of: 0)
        if own == "javascript" { return "web" }
        switch tape.contextText("os", "name")?.lowercased() {
        case "ios", "ipados": return "ios"
        case "android": return "android"
        case "macos", "mac os x": return "macos"
        case "windows": return "windows"
        case "linux": return "linux"
        case "tvos": return "tvos"
        case "watchos": return "watchos"
        case "visionos": return "visionos"
        default: return own
        }
    }
}
