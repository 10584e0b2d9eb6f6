import Events
package import JSON
package import Platform

/// The door for Google Analytics' Measurement Protocol, as servers speak it for app streams.
package struct GoogleMeasurements: Sendable {
    static let mostEvents = 25
    private static let limits = JSONLimits(bytes: 130_000, tokens: 20_000, depth: 16)
    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    /// Reads a request; only what is wrong with it as a whole is thrown.
    package func decode(_ body: [UInt8], query: [(name: String, value: String)]) throws(Refusal) -> Measurement {
        try parser.withReader { json throws(Refusal) in
            let tape: JSONTape
            do throws(JSONFailure) {
                tape = try json.parse(body, limits: GoogleMeasurements.limits)
            } catch {
                throw Refusal(error)
            }
            defer { json.reuse(tape) }
            return try MeasurementReader(tape, query).measurement()
        }
    }
}

/// Reads one request off its tape.
private struct MeasurementReader {
    private let tape: JSONTape
    private let stream: String?
    private var context: [UInt8] = []

    init(_ tape: JSONTape, _ query: [(name: String, value: String)]) throws(Refusal) {
        guard tape[0].kind == .object else { throw .unexpectedShape("an object with an array \"events\"") }
        self.tape = tape
        stream = query.first { $0.name == "firebase_app_id" || $0.name == "measurement_id" }?.value
        context = writtenContext()
    }

    func measurement() throws(Refusal) -> Measurement {
        guard let events = tape.value("events", of: 0), tape[events].kind == .array else {
            throw .unexpectedShape("an object with an array \"events\"")
        }
        guard tape[events].children <= GoogleMeasurements.mostEvents else { throw .tooMany("events", limit: GoogleMeasurements.mostEvents) }
        var measurement = Measurement(stream: stream, instance: instance.flatMap { tape.text(tape[$0]) }, enforces: enforces)
        for place in tape.elements(of: events) {
            let faults = measurement.enforces ? RecommendedParams.faults(of: place, in: tape) : []
            measurement.events.append(Measurement.Event(json: event(place), faults: faults))
        }
        readProperties(into: &measurement)
        return measurement
    }

    private var instance: Int? { tape.value("app_instance_id", of: 0) ?? tape.value("client_id", of: 0) }

    /// Google's own tools write it in the one way, its description in the other.
    private var enforces: Bool {
        let place = tape.value("validation_behavior", of: 0) ?? tape.value("validationBehavior", of: 0)
        return place.map { tape.text(tape[$0]) == "ENFORCE_RECOMMENDATIONS" } ?? false
    }

    // MARK: Events

    private func event(_ place: Int) -> [UInt8] {
        guard tape[place].kind == .object else { return Array(tape.bytes[tape.slice(place)]) }
        let params = tape.value("params", of: place)
        var json = JSONWriter()
        json.beginObject()
        json.field("name", copying: tape.value("name", of: place), of: tape)
        let time = tape.value("timestamp_micros", of: place) ?? params.flatMap { tape.value("timestamp_micros", of: $0) }
        writeTime(time ?? tape.value("timestamp_micros", of: 0), to: &json)
        json.id("installation_id", copying: instance, of: tape)
        json.id("user_id", copying: tape.value("user_id", of: 0), of: tape)
        json.id("session_id", copying: params.flatMap { tape.value("session_id", of: $0) }, of: tape)
        if let params { write(params: params, items: tape.value("items", of: place), to: &json) }
        if !context.isEmpty {
            json.key("context")
            json.raw(context[...])
        }
        json.endObject()
        return json.bytes
    }

    /// Microseconds, as a number or as its digits; anything else is left for the reader of events to refuse.
    private func writeTime(_ place: Int?, to json: inout JSONWriter) {
        guard let place else { return }
        json.key("timestamp")
        if tape[place].kind == .string, let micros = tape.text(tape[place]).flatMap({ Int64($0) }) {
            json.integer(micros)
        } else {
            json.raw(tape.bytes[tape.slice(place)])
        }
    }

    /// Some put the items beside the parameters instead of among them.
    private func write(params: Int, items: Int?, to json: inout JSONWriter) {
        json.key("params")
        guard tape[params].kind == .object else { return json.raw(tape.bytes[tape.slice(params)]) }
        json.beginObject()
        for place in tape.keys(of: params) {
            let key = tape[place]
            if tape.isText(key, "session_id") || tape.isText(key, "timestamp_micros") { continue }
            json.rawKey(tape.bytes[tape.slice(place)])
            json.raw(tape.bytes[tape.slice(key.next)])
        }
        if tape.value("items", of: params) == nil { json.field("items", copying: items, of: tape) }
        json.endObject()
    }

    // MARK: Around the events

    /// Those without a time of their own are told of together, so that there is a limit to their number.
    private func readProperties(into measurement: inout Measurement) {
        guard let properties = tape.value("user_properties", of: 0) else { return }
        func ownTime(_ place: Int) -> Int? { tape.value("timestamp_micros", of: tape[place].next) }
        let places = Array(tape.keys(of: properties))
        let together = places.filter { ownTime($0) == nil }
        if !together.isEmpty { measurement.properties.append(update(together, at: tape.value("timestamp_micros", of: 0))) }
        for place in places {
            if let time = ownTime(place) { measurement.properties.append(update([place], at: time)) }
        }
    }

    private func update(_ properties: [Int], at time: Int?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.id("installation_id", copying: instance, of: tape)
        json.id("user_id", copying: tape.value("user_id", of: 0), of: tape)
        writeTime(time, to: &json)
        json.key("properties")
        json.beginObject()
        for place in properties {
            let given = tape[place].next
            json.rawKey(tape.bytes[tape.slice(place)])
            json.raw(tape.bytes[tape.slice(tape.value("value", of: given) ?? given)])
        }
        json.endObject()
        json.endObject()
        return json.bytes
    }

    /// What we keep of the device and of where it is.
    private func writtenContext() -> [UInt8] {
        let device = tape.value("device", of: 0)
        let location = tape.value("user_location", of: 0)
        let operating = device.flatMap { tape.value("operating_system", of: $0) }
        let fields: [(String, Int?)] = [
            ("os_version", device.flatMap { tape.value("operating_system_version", of: $0) }),
            ("device_model", device.flatMap { tape.value("model", of: $0) }), ("locale", device.flatMap { tape.value("language", of: $0) }),
            ("country", location.flatMap { tape.value("country_id", of: $0) }),
        ]
        let platform = operating == nil ? Measurement.platform(of: stream) : nil
        guard operating != nil || platform != nil || fields.contains(where: { $0.1 != nil }) else { return [] }
        var json = JSONWriter()
        json.beginObject()
        for (name, place) in fields { json.field(name, copying: place, of: tape) }
        if let platform { json.field("platform", platform) } else { json.platform(operating, of: tape) }
        json.endObject()
        return json.bytes
    }
}
