import Events
package import JSON
package import Platform

/// The door for what PostHog's SDKs capture: events, persons and exceptions in one list.
package struct PostHogEvents: Sendable {
    /// A request in our own words, with what its sender asks to be told.
    package struct Captured: Sendable {
        package internal(set) var batch = DoorBatch()
        /// The key, where the body holds it.
        package internal(set) var key: String?
        /// The ids of the events, in order; empty for those without.
        package internal(set) var ids: [String] = []
    }

    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    /// Reads one event, a list of them, or an object with a list; only what is wrong with the request as a whole is thrown.
    package func decode(_ body: [UInt8]) throws(Refusal) -> Captured {
        try parser.withReader { json throws(Refusal) in
            let tape: JSONTape
            do throws(JSONFailure) {
                tape = try json.parse(body)
            } catch {
                throw Refusal(error)
            }
            defer { json.reuse(tape) }
            return try captured(tape)
        }
    }

    private func captured(_ tape: JSONTape) throws(Refusal) -> Captured {
        var captured = Captured()
        let sent = tape.string(tape[0].kind == .object ? tape.first("sent_at", "created_at", of: 0) : nil)
        captured.batch.sentAt = sent.flatMap { Timestamp(rfc3339: Array($0.utf8).span) }
        let list = tape[0].kind == .array ? 0 : tape.value("batch", of: 0)
        guard list != nil || tape[0].kind == .object else { throw .unexpectedShape("an event of PostHog's, or an object with an array \"batch\"") }
        if let list {
            guard tape[list].kind == .array else { throw .unexpectedShape("an object with an array \"batch\"") }
            guard tape[list].children <= FixedLimits.usersPerRequest else { throw .tooMany("events", limit: FixedLimits.usersPerRequest) }
        }
        captured.key = PostHogEvents.key(in: 0, tape)
        let places = list.map { Array(tape.elements(of: $0)) } ?? [0]
        for (number, place) in places.enumerated() {
            captured.key = captured.key ?? PostHogEvents.key(in: place, tape)
            captured.ids.append(tape.string(tape.value("uuid", of: place)) ?? "")
            PostHogEvent(place, in: tape).write(from: number, into: &captured.batch)
        }
        return captured
    }

    private static func key(in place: Int, _ tape: JSONTape) -> String? {
        tape.string(tape.first("api_key", "token", "$token", of: place) ?? tape.value(at: "properties", "token", of: place))
    }
}

/// One event, and the ways it can be meant.
private struct PostHogEvent {
    private let tape: JSONTape
    private let place: Int
    private let properties: Int?
    private let name: String?

    init(_ place: Int, in tape: JSONTape) {
        (self.place, self.tape) = (place, tape)
        properties = tape.value("properties", of: place)
        name = tape.string(tape.value("event", of: place))
    }

    private func property(_ name: StaticString) -> Int? { properties.flatMap { tape.value(name, of: $0) } }

    func write(from number: Int, into batch: inout DoorBatch) {
        switch name {
        case "$exception": batch.crashes.add(from: number) { crash(to: &$0) }
        case "$identify", "$set", "$create_alias": writeUsers(from: number, into: &batch)
        default:
            batch.events.add(from: number) { event(to: &$0) }
            if setting != nil || settingOnce != nil { writeUsers(from: number, into: &batch) }
        }
    }

    // MARK: Who it is about

    private enum Who {
        case nobody
        case installation(Int)
        case user(Int, installation: Int?)
    }

    /// An id that was made up for one event alone is nobody's; one that is the device's own is an installation.
    private var who: Who {
        guard name != "$groupidentify", let id = tape.value("distinct_id", of: place) ?? property("distinct_id") else { return .nobody }
        let device = property("$device_id")
        if let device, tape.text(tape[device]) == tape.text(tape[id]) { return .installation(id) }
        if let known = property("$is_identified"), tape[known].kind == .false { return .installation(id) }
        let profile = property("$process_person_profile") ?? tape.value(at: "options", "process_person_profile", of: place)
        if let profile, tape[profile].kind == .false { return device.map { .installation($0) } ?? .nobody }
        return .user(id, installation: device)
    }

    private func writeWho(to json: inout JSONWriter) {
        switch who {
        case .nobody: break
        case .installation(let id): json.id("installation_id", copying: id, of: tape)
        case .user(let id, let installation):
            json.id("user_id", copying: id, of: tape)
            json.id("installation_id", copying: installation, of: tape)
        }
    }

    private func writeTime(to json: inout JSONWriter) {
        json.field("timestamp", copying: tape.value("timestamp", of: place), of: tape)
    }

    // MARK: Persons

    private var setting: Int? { tape.value("$set", of: place) ?? property("$set") }
    private var settingOnce: Int? { tape.value("$set_once", of: place) ?? property("$set_once") }

    private func writeUsers(from number: Int, into batch: inout DoorBatch) {
        // What is set once is the oldest there is, so that whatever was set before stays.
        if let settingOnce { batch.users.add(from: number) { user(settingOnce, isOldest: true, to: &$0) } }
        if setting != nil || settingOnce == nil { batch.users.add(from: number) { user(setting, isOldest: false, to: &$0) } }
    }

    private func user(_ setting: Int?, isOldest: Bool, to json: inout JSONWriter) {
        json.beginObject()
        if isOldest { json.field("timestamp", 1) } else { writeTime(to: &json) }
        switch name {
        case "$create_alias":
            json.id("installation_id", copying: property("distinct_id"), of: tape)
            json.id("user_id", copying: property("alias"), of: tape)
            json.field("alias", true)
        case "$identify":
            let before = property("$anon_distinct_id")
            json.id("user_id", copying: tape.value("distinct_id", of: place) ?? property("distinct_id"), of: tape)
            json.id("installation_id", copying: before, of: tape)
            if before != nil { json.field("alias", true) }
        default: writeWho(to: &json)
        }
        json.field("properties", copying: setting, of: tape)
        json.endObject()
    }

    // MARK: Events

    private func event(to json: inout JSONWriter) {
        json.beginObject()
        json.id("id", copying: tape.value("uuid", of: place), of: tape)
        writeTime(to: &json)
        writeWho(to: &json)
        writeSession(to: &json)
        switch name {
        case "$screen":
            json.field("name", "screen_view")
            writeParams(["$screen_name"], to: &json) { $0.field("screen_name", copying: property("$screen_name"), of: tape) }
        case "$pageview":
            json.field("name", "page_view")
            writeParams(to: &json) { $0.field("page_name", copying: property("$pathname") ?? property("$current_url"), of: tape) }
        default:
            json.field("name", copying: tape.value("event", of: place), of: tape)
            if let properties, tape[properties].kind != .object {
                json.field("params", copying: properties, of: tape)
            } else {
                writeParams(to: &json) { _ in }
            }
        }
        writeContext(to: &json)
        json.endObject()
    }

    private func writeSession(to json: inout JSONWriter) {
        json.id("session_id", copying: tape.value("session_id", of: place) ?? property("$session_id"), of: tape)
    }

    /// What has a place of its own, and what tells of the SDK's doings only.
    private static let elsewhere: Set = [
        "token", "distinct_id", "$set", "$set_once", "$device_id", "$session_id", "$window_id", "$is_identified", "$process_person_profile",
        "$geoip_disable", "$is_server", "$os", "$os_name", "$os_version", "$app_version", "$app_build", "$device_model", "$locale", "$insert_id",
        "$time",
        "page_name", "screen_name",
    ]

    private func writeParams(_ more: Set<String> = [], to json: inout JSONWriter, first: (inout JSONWriter) -> Void) {
        json.key("params")
        json.beginObject()
        first(&json)
        json.fields(of: properties, but: PostHogEvent.elsewhere.union(more), in: tape)
        json.endObject()
    }

    private func writeContext(to json: inout JSONWriter) {
        json.key("context")
        json.beginObject()
        json.field("platform", copying: property("$os_name") ?? property("$os"), of: tape)
        json.field("os_version", copying: property("$os_version"), of: tape)
        json.field("app_version", copying: property("$app_version"), of: tape)
        json.id("build", copying: property("$app_build"), of: tape)
        json.field("device_model", copying: property("$device_model"), of: tape)
        json.field("locale", copying: property("$locale") ?? property("$browser_language"), of: tape)
        json.field("country", copying: property("$geoip_country_code"), of: tape)
        json.endObject()
    }

    // MARK: Exceptions

    private func crash(to json: inout JSONWriter) {
        json.beginObject()
        json.id("id", copying: tape.value("uuid", of: place), of: tape)
        writeTime(to: &json)
        writeWho(to: &json)
        writeSession(to: &json)
        json.field("level", copying: property("$exception_level"), of: tape)
        json.field("type", copying: property("$exception_type"), of: tape)
        json.field("reason", copying: property("$exception_message"), of: tape)
        writeExceptions(to: &json)
        if let fingerprint = property("$exception_fingerprint"), tape[fingerprint].kind == .array {
            json.field("fingerprint", copying: fingerprint, of: tape)
        }
        json.field("release", copying: property("$release") ?? property("$app_version"), of: tape)
        writeContext(to: &json)
        json.endObject()
    }

    /// PostHog has the outermost first, and we last.
    private func writeExceptions(to json: inout JSONWriter) {
        guard let list = property("$exception_list"), tape[list].kind == .array else { return }
        json.key("exceptions")
        json.beginArray()
        for exception in tape.elements(of: list).reversed() { json.raw(tape.bytes[tape.slice(exception)]) }
        json.endArray()
    }
}
