import Events
package import JSON
package import Platform

/// The door for the calls of Segment's SDKs, one by one or many at once, and of those that speak like them.
package struct SegmentCalls: Sendable {
    /// What a call is, where its path says so.
    package enum Call: String, CaseIterable, Sendable {
        case track, identify, page, screen, group, alias
    }

    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    /// Reads a request and the key it may hold; only what is wrong with it as a whole is thrown.
    ///
    /// - Parameter call: What the one call of the body is; nil where it holds a batch.
    package func decode(_ body: [UInt8], _ call: Call?) throws(Refusal) -> (batch: DoorBatch, key: String?) {
        try parser.withReader { json throws(Refusal) in
            let tape: JSONTape
            do throws(JSONFailure) {
                tape = try json.parse(body)
            } catch {
                throw Refusal(error)
            }
            defer { json.reuse(tape) }
            guard tape[0].kind == .object else { throw .unexpectedShape("an object as Segment's SDKs send it") }
            return (try SegmentReader(tape).batch(call), tape.string(tape.value("writeKey", of: 0)))
        }
    }
}

private struct SegmentReader {
    private let tape: JSONTape
    /// Of calls that have none of their own.
    private let context: Int?

    init(_ tape: JSONTape) {
        self.tape = tape
        context = tape.value("context", of: 0)
    }

    func batch(_ call: SegmentCalls.Call?) throws(Refusal) -> DoorBatch {
        var batch = DoorBatch()
        batch.sentAt = tape.string(tape.value("sentAt", of: 0)).flatMap { Timestamp(rfc3339: Array($0.utf8).span) }
        if let call {
            read(0, call, from: 0, into: &batch)
            return batch
        }
        guard let list = tape.value("batch", of: 0), tape[list].kind == .array else { throw .unexpectedShape("an object with an array \"batch\"") }
        guard tape[list].children <= FixedLimits.usersPerRequest else { throw .tooMany("calls", limit: FixedLimits.usersPerRequest) }
        for (number, place) in tape.elements(of: list).enumerated() {
            let type = tape.string(tape.value("type", of: place)).flatMap { SegmentCalls.Call(rawValue: $0) }
            read(place, type, from: number, into: &batch)
        }
        return batch
    }

    private func read(_ place: Int, _ call: SegmentCalls.Call?, from number: Int, into batch: inout DoorBatch) {
        switch call {
        case .track, .page, .screen: batch.events.add(from: number) { event(place, call ?? .track, to: &$0) }
        case .identify, .group, .alias: batch.users.add(from: number) { user(place, call ?? .identify, to: &$0) }
        case nil: batch.refuse(from: number, .missingType, "type", "Is none of the calls there are.", event: Array(tape.bytes[tape.slice(place)]))
        }
    }

    // MARK: Events

    private func event(_ place: Int, _ call: SegmentCalls.Call, to json: inout JSONWriter) {
        json.beginObject()
        json.id("id", copying: tape.value("messageId", of: place), of: tape)
        writeTime(place, to: &json)
        writePerson(place, to: &json)
        json.id("session_id", copying: tape.value(at: "context", "sessionId", of: place), of: tape)
        switch call {
        case .screen: writeView("screen_view", "screen_name", place, to: &json)
        case .page: writeView("page_view", "page_name", place, to: &json)
        default: writeTrack(place, to: &json)
        }
        writeContext(tape.value("context", of: place) ?? context, to: &json)
        json.endObject()
    }

    private func writeTrack(_ place: Int, to json: inout JSONWriter) {
        let properties = tape.value("properties", of: place)
        switch tape.string(tape.value("event", of: place)) {
        case "Order Completed": writeOrder("purchase", properties, to: &json)
        case "Order Refunded": writeOrder("refund", properties, to: &json)
        default:
            json.field("name", copying: tape.value("event", of: place), of: tape)
            json.field("params", copying: properties, of: tape)
        }
    }

    /// Segment's names for what is sold are given ours, so that it counts as revenue.
    private func writeOrder(_ name: String, _ properties: Int?, to json: inout JSONWriter) {
        json.field("name", name)
        json.key("params")
        json.beginObject()
        if let properties {
            let worth = tape.first("value", "total", "revenue", of: properties)
            json.field("value", copying: worth, of: tape)
            json.id("transaction_id", copying: tape.first("transaction_id", "order_id", of: properties), of: tape)
            writeProducts(tape.first("items", "products", of: properties), to: &json)
            json.fields(of: properties, but: ["value", "transaction_id", "order_id", "items", "products"], in: tape)
        }
        json.endObject()
    }

    private func writeProducts(_ list: Int?, to json: inout JSONWriter) {
        guard let list, tape[list].kind == .array else { return }
        json.key("items")
        json.beginArray()
        for place in tape.elements(of: list) {
            json.beginObject()
            json.id("item_id", copying: tape.first("item_id", "product_id", "sku", of: place), of: tape)
            json.field("item_name", copying: tape.first("item_name", "name", of: place), of: tape)
            for (ours, theirs) in [("price", tape.value("price", of: place)), ("quantity", tape.value("quantity", of: place))] {
                json.field(ours, copying: theirs, of: tape)
            }
            json.field("item_brand", copying: tape.value("brand", of: place), of: tape)
            json.field("item_category", copying: tape.value("category", of: place), of: tape)
            json.endObject()
        }
        json.endArray()
    }

    private func writeView(_ name: String, _ field: String, _ place: Int, to json: inout JSONWriter) {
        json.field("name", name)
        json.key("params")
        json.beginObject()
        let properties = tape.value("properties", of: place)
        json.field(field, copying: tape.value("name", of: place) ?? properties.flatMap { tape.first("name", "title", "path", of: $0) }, of: tape)
        json.field("screen_class", copying: tape.value("category", of: place), of: tape)
        json.fields(of: properties, but: [field, "name", "screen_class"], in: tape)
        json.endObject()
    }

    // MARK: Persons

    private func user(_ place: Int, _ call: SegmentCalls.Call, to json: inout JSONWriter) {
        json.beginObject()
        writeTime(place, to: &json)
        if call == .alias {
            json.id("installation_id", copying: tape.value("previousId", of: place), of: tape)
            json.id("user_id", copying: tape.value("userId", of: place), of: tape)
            json.field("alias", true)
        } else {
            writePerson(place, to: &json)
            // Who says both says that they are one.
            if tape.value("userId", of: place) != nil, tape.value("anonymousId", of: place) != nil { json.field("alias", true) }
            json.key("properties")
            json.beginObject()
            let traits = tape.value("traits", of: place)
            if call == .group {
                json.id("group", copying: tape.value("groupId", of: place), of: tape)
                json.fields(of: traits, prefix: "group_", in: tape)
            } else {
                json.fields(of: traits, in: tape)
            }
            json.endObject()
        }
        json.endObject()
    }

    // MARK: What all calls have

    private func writeTime(_ place: Int, to json: inout JSONWriter) {
        json.field("timestamp", copying: tape.first("timestamp", "originalTimestamp", of: place), of: tape)
    }

    private func writePerson(_ place: Int, to json: inout JSONWriter) {
        json.id("user_id", copying: tape.value("userId", of: place), of: tape)
        json.id("installation_id", copying: tape.value("anonymousId", of: place), of: tape)
    }

    private func writeContext(_ context: Int?, to json: inout JSONWriter) {
        guard let context else { return }
        json.key("context")
        json.beginObject()
        json.field("platform", copying: tape.value(at: "os", "name", of: context) ?? tape.value(at: "device", "type", of: context), of: tape)
        json.field("os_version", copying: tape.value(at: "os", "version", of: context), of: tape)
        json.field("app_version", copying: tape.value(at: "app", "version", of: context), of: tape)
        json.id("build", copying: tape.value(at: "app", "build", of: context), of: tape)
        json.field("device_model", copying: tape.value(at: "device", "model", of: context), of: tape)
        json.field("locale", copying: tape.value("locale", of: context), of: tape)
        json.field("country", copying: tape.value(at: "location", "country", of: context), of: tape)
        json.endObject()
    }
}
