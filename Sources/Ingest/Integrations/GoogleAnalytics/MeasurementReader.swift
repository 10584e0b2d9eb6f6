// SPDX-License-Identifier: Apache-2.0

import Events
package import JSON
package import Platform

/// Decodes the Measurement Protocol of Google Analytics for app streams.
///
///     {"app_instance_id": "i1", "events": [{"name": "login", "params": {"method": "mail"}}]}
///       → events [{"name": "login", "installation_id": "i1", "params": {"method": "mail"}}]
package struct GoogleMeasurements: Sendable {
    static let mostEvents = 25
    private static let limits = JSONLimits(
        bytes: 130_000, tokens: 20_000, depth: LenientJSON.limits.depth, stepsPerToken: JSONLimits.allowedStepsPerToken)
    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    /// Decodes a request. It throws only for errors of the request as a whole.
    package func decode(_ body: [UInt8], query: [(name: String, value: String)]) throws(Refusal) -> Measurement {
        try parser.withReader { json throws(Refusal) in
            let tape: JSONTape
            do throws(JSONError) {
                tape = try json.parse(body, limits: GoogleMeasurements.limits)
            } catch {
                throw Refusal(error)
            }
            defer { json.reuse(tape) }
            return try MeasurementReader(tape, query).measurement()
        }
    }
}

/// Decodes one request from its tape.
private struct MeasurementReader {
    private let tape: JSONTape
    private let stream: String?
    private let context: JSONTape
    // Fields that apply to all events.
    private let instance: Int?
    private let user: Int?
    private let time: Int?

    init(_ tape: JSONTape, _ query: [(name: String, value: String)]) throws(Refusal) {
        guard tape[0].kind == .object else { throw .unexpectedShape("an object with an array \"events\"") }
        self.tape = tape
        stream = query.first { $0.name == "firebase_app_id" || $0.name == "measurement_id" }?.value
        context = MeasurementReader.context(tape, stream)
        instance = tape.value("app_instance_id", of: 0) ?? tape.value("client_id", of: 0)
        user = tape.value("user_id", of: 0)
        time = tape.value("timestamp_micros", of: 0)
    }

    func measurement() throws(Refusal) -> Measurement {
        guard let events = tape.value("events", of: 0), tape[events].kind == .array else {
            throw .unexpectedShape("an object with an array \"events\"")
        }
        guard tape[events].children <= GoogleMeasurements.mostEvents else { throw .tooMany("events", limit: GoogleMeasurements.mostEvents) }
        var measurement = Measurement(stream: stream, instance: instance.flatMap { tape.text(tape[$0]) }, enforces: enforces)
        measurement.batch = IntegrationBatch(of: tape)
        for place in tape.elements(of: events) {
            if measurement.enforces { measurement.faults.append(RecommendedParams.faults(of: place, in: tape)) }
            let number = measurement.batch.events.origins.count
            measurement.batch.events.add(from: number) { event(place, to: &$0) }
        }
        try readProperties(into: &measurement.batch)
        try tape.checkSteps()
        return measurement
    }

    /// Whether recommendations are enforced. Google's tools and its documentation use different spellings.
    private var enforces: Bool {
        let place = tape.value("validation_behavior", of: 0) ?? tape.value("validationBehavior", of: 0)
        return place.map { tape.text(tape[$0]) == "ENFORCE_RECOMMENDATIONS" } ?? false
    }

    // MARK: Events

    private func event(_ place: Int, to json: inout TapeWriter) {
        guard tape[place].kind == .object else { return json.copy(place, of: tape) }
        let params = tape.value("params", of: place)
        json.beginObject()
        json.field("name", copying: tape.value("name", of: place), of: tape)
        let time = tape.value("timestamp_micros", of: place) ?? params.flatMap { tape.value("timestamp_micros", of: $0) }
        writeTime(time ?? self.time, to: &json)
        json.id("installation_id", copying: instance, of: tape)
        json.id("user_id", copying: user, of: tape)
        json.id("session_id", copying: params.flatMap { tape.value("session_id", of: $0) }, of: tape)
        if let params { write(params: params, items: tape.value("items", of: place), to: &json) }
        if context[0].children > 0 { json.field("context", copying: 0, of: context) }
        json.endObject()
    }

    /// Copies a time in microseconds, given as a number or digits. The event decoder rejects anything else.
    private func writeTime(_ place: Int?, to json: inout TapeWriter) {
        guard let place else { return }
        json.key("timestamp")
        if tape[place].kind == .string, let micros = tape.text(tape[place]).flatMap({ Int64($0) }) {
            json.integer(micros)
        } else {
            json.copy(place, of: tape)
        }
    }

    /// Copies the parameters. Some senders put the items beside them.
    private func write(params: Int, items: Int?, to json: inout TapeWriter) {
        json.key("params")
        guard tape[params].kind == .object else { return json.copy(params, of: tape) }
        json.beginObject()
        json.members(of: params, in: tape) { _, key in !tape.isText(tape[key], "session_id") && !tape.isText(tape[key], "timestamp_micros") }
        if tape.value("items", of: params) == nil { json.field("items", copying: items, of: tape) }
        json.endObject()
    }

    // MARK: User and context

    /// Reads user properties. Those without a time of their own become one entry, which bounds the number of entries.
    private func readProperties(into batch: inout IntegrationBatch) throws(Refusal) {
        guard let properties = tape.value("user_properties", of: 0) else { return }
        func ownTime(_ place: Int) -> Int? { tape.value("timestamp_micros", of: tape[place].next) }
        let places = Array(tape.keys(of: properties))
        let together = places.filter { ownTime($0) == nil }
        if !together.isEmpty { update(together, at: time, in: &batch) }
        for place in places {
            guard let time = ownTime(place) else { continue }
            update([place], at: time, in: &batch)
            try batch.checkSize()
        }
    }

    private func update(_ properties: [Int], at time: Int?, in batch: inout IntegrationBatch) {
        batch.users.add(from: batch.events.origins.count + batch.users.origins.count) { json in
            json.beginObject()
            json.id("installation_id", copying: instance, of: tape)
            json.id("user_id", copying: user, of: tape)
            writeTime(time, to: &json)
            json.key("properties")
            json.beginObject()
            for place in properties {
                let given = tape[place].next
                json.key(copying: place, of: tape)
                json.copy(tape.value("value", of: given) ?? given, of: tape)
            }
            json.endObject()
            json.endObject()
        }
    }

    /// Returns the context as an object, empty if the request has none.
    private static func context(_ tape: JSONTape, _ stream: String?) -> JSONTape {
        let device = tape.value("device", of: 0)
        let operating = tape.value(at: "device", "operating_system", of: 0)
        var json = TapeWriter()
        json.beginObject()
        json.field("os_version", copying: device.flatMap { tape.value("operating_system_version", of: $0) }, of: tape)
        json.field("device_model", copying: device.flatMap { tape.value("model", of: $0) }, of: tape)
        json.field("locale", copying: device.flatMap { tape.value("language", of: $0) }, of: tape)
        json.field("country", copying: tape.value(at: "user_location", "country_id", of: 0), of: tape)
        if operating != nil {
            json.platform(operating, of: tape)
        } else if let platform = Measurement.platform(of: stream) {
            json.field("platform", platform)
        }
        json.endObject()
        return json.tape()
    }
}
