// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform

/// A PostHog event and its meaning: an event, a user update or a crash.
struct PostHogEvent {
    let tape: JSONTape
    let fields: PostHogFields
    let properties: Int?
    let own: PostHogProperties
    private let meaning: Meaning
    private let person: PostHogPerson
    /// The sender's current time.
    private let now: Timestamp

    private enum Meaning {
        case event, screen, page, exception, identify, alias, person, group
    }

    init(_ place: Int, in tape: JSONTape, now: Timestamp) {
        (self.tape, self.now) = (tape, now)
        fields = PostHogFields.found(in: place, of: tape)
        properties = fields[.properties]
        own = PostHogProperties(of: properties, in: tape)
        meaning = PostHogEvent.meaning(fields[.event], tape)
        person = meaning == .group ? .nobody : PostHogPerson(fields, own, in: tape)
    }

    private static func meaning(_ name: Int?, _ tape: JSONTape) -> Meaning {
        guard let name, tape[name].isString, tape[name].count > 0 else { return .event }
        guard tape[name].escaped || tape.bytes[tape[name].offset] == UInt8(ascii: "$") else { return .event }
        return switch tape.text(tape[name]) {
        case "$screen": .screen
        case "$pageview": .page
        case "$exception": .exception
        case "$identify": .identify
        case "$create_alias", "$merge_dangerously": .alias
        case "$set", "$set_once", "$unset": .person
        case "$groupidentify": .group
        default: .event
        }
    }

    /// Returns a rarely used property.
    func property(_ name: StaticString) -> Int? { properties.flatMap { tape.value(name, of: $0) } }

    func write(from number: Int, into batch: inout IntegrationBatch) {
        switch meaning {
        case .exception: batch.crashes.add(from: number) { crash(to: &$0) }
        case .event, .screen, .page, .group: batch.events.add(from: number) { event(to: &$0) }
        // Users are counted by events alone, so the link between two IDs is written as an event.
        case .identify, .alias: if previous != nil { batch.events.add(from: number) { event(to: &$0) } }
        case .person: break
        }
        writePersons(from: number, into: &batch)
    }

    // MARK: Common fields

    func writeTime(to json: inout TapeWriter) {
        if let time = fields[.timestamp] {
            json.field("timestamp", copying: time, of: tape)
        } else if let offset = fields[.offset].flatMap({ tape[$0].integer }), offset >= 0, offset < 1 << 42 {
            // Browsers send the age of the event.
            json.field("timestamp", Timestamp(milliseconds: now.milliseconds - offset).rfc3339)
        }
    }

    func writePerson(to json: inout TapeWriter) {
        switch meaning {
        case .alias, .identify:
            json.id("user_id", copying: known, of: tape)
            json.id("installation_id", copying: previous ?? own[.deviceID], of: tape)
        default: person.write(to: &json, tape)
        }
    }

    func writeSession(to json: inout TapeWriter) {
        json.id("session_id", copying: fields[.sessionID] ?? own[.sessionID], of: tape)
    }

    func writeContext(to json: inout TapeWriter) {
        json.key("context")
        json.beginObject()
        if tape.isString(own[.library], "web") {
            json.field("platform", "web")
        } else {
            json.platform(own[.osName] ?? own[.os], of: tape)
        }
        json.field("os_version", copying: own[.osVersion], of: tape)
        json.field("app_version", copying: own[.appVersion], of: tape)
        json.id("build", copying: own[.appBuild], of: tape)
        json.field("device_model", copying: own[.deviceModel], of: tape)
        json.field("locale", copying: own[.locale] ?? own[.language], of: tape)
        json.field("country", copying: own[.country], of: tape)
        json.endObject()
    }

    // MARK: Users

    /// The IDs of the user: the current one, and the one before.
    private var known: Int? { named(meaning == .alias ? property("alias") : fields[.distinctID] ?? own[.distinctID]) }
    private var previous: Int? {
        named(meaning == .alias ? own[.distinctID] ?? fields[.distinctID] : own[.anonymousID])
    }

    private func named(_ id: Int?) -> Int? { id.flatMap { PostHogPerson.isPlaceholder($0, tape) ? nil : $0 } }

    private var setting: Int? { fields[.set] ?? own[.set] }
    private var settingOnce: Int? { fields[.setOnce] ?? own[.setOnce] }
    private var unsetting: Int? { fields[.unset] ?? own[.unset] }

    private func writePersons(from number: Int, into batch: inout IntegrationBatch) {
        let isAboutPerson = meaning == .identify || meaning == .alias || meaning == .person
        if let settingOnce { batch.users.add(from: number) { user(settingOnce, isOnce: true, to: &$0) } }
        if setting != nil || unsetting != nil || isAboutPerson && settingOnce == nil {
            batch.users.add(from: number) { user(setting, isOnce: false, to: &$0) }
        }
    }

    private func user(_ setting: Int?, isOnce: Bool, to json: inout TapeWriter) {
        json.beginObject()
        writeTime(to: &json)
        if isOnce { json.field("once", true) }
        writePerson(to: &json)
        if meaning == .alias || meaning == .identify && previous != nil { json.field("alias", true) }
        writeProperties(setting, isOnce: isOnce, to: &json)
        json.endObject()
    }

    private func writeProperties(_ setting: Int?, isOnce: Bool, to json: inout TapeWriter) {
        if let setting, tape[setting].kind != .object { return json.field("properties", copying: setting, of: tape) }
        json.key("properties")
        json.beginObject()
        json.fields(of: setting, in: tape)
        if let unsetting, !isOnce {
            for name in tape.elements(of: unsetting) where tape[name].kind == .string {
                json.key(copying: name, of: tape)
                json.null()
            }
        }
        json.endObject()
    }

    // MARK: Events

    private func event(to json: inout TapeWriter) {
        json.beginObject()
        json.id("id", copying: fields[.uuid], of: tape)
        writeTime(to: &json)
        writePerson(to: &json)
        writeSession(to: &json)
        switch meaning {
        case .screen:
            json.field("name", "screen_view")
            writeParams("screen_name", own[.screen], to: &json)
        case .page:
            json.field("name", "page_view")
            writeParams("page_name", own[.path] ?? own[.address], to: &json)
        default:
            json.field("name", copying: fields[.event], of: tape)
            writeParams(to: &json)
        }
        writeContext(to: &json)
        json.endObject()
    }

    private func writeParams(_ field: StaticString? = nil, _ value: Int? = nil, to json: inout TapeWriter) {
        guard let properties else { return }
        guard tape[properties].kind == .object else { return json.field("params", copying: properties, of: tape) }
        json.key("params")
        json.beginObject()
        if let field { json.field(field, copying: value, of: tape) }
        json.members(of: properties, in: tape) { number, key in
            guard own.isParam(number, tape[key], in: tape) else { return false }
            // A screen view has its name in another property.
            guard value != nil, let property = PostHogProperty.named(tape[key], in: tape) else { return true }
            return property != .screenName && property != .pageName
        }
        json.endObject()
    }
}
