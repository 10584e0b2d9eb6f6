// SPDX-License-Identifier: Apache-2.0

import JSON

/// A Segment call, translated to an event, a user update or both.
struct SegmentCall {
    private let tape: JSONTape
    private let fields: SegmentFields
    private let call: SegmentCalls.Call
    private let user: Int?
    private let anonymous: Int?
    /// The call's own context, or that of the request.
    private let context: SegmentContext?

    init(_ fields: SegmentFields, _ call: SegmentCalls.Call, in tape: JSONTape, _ contexts: inout SegmentContexts) {
        (self.fields, self.call, self.tape) = (fields, call, tape)
        user = fields[.userID]
        anonymous = fields[call == .alias ? .previousID : .anonymousID]
        context = contexts.context(at: fields[.context], in: tape)
    }

    /// Whether the call names both IDs and thereby links them.
    private var isPair: Bool { user != nil && anonymous != nil && call != .group }

    func write(from number: Int, into batch: inout IntegrationBatch) {
        switch call {
        case .track, .page, .screen: batch.events.add(from: number) { event(to: &$0) }
        case .identify, .alias, .group:
            batch.users.add(from: number) { person(to: &$0) }
            // Users are counted by events alone, so the link is also written as an event.
            if isPair { batch.events.add(from: number) { event(to: &$0) } }
        }
    }

    // MARK: Events

    private func event(to json: inout TapeWriter) {
        json.beginObject()
        json.id("id", copying: fields[.messageID], of: tape)
        writeTime(to: &json)
        writePerson(to: &json)
        json.id("session_id", copying: context?.sessionID, of: tape)
        switch call {
        case .screen: writeView("screen_view", "screen_name", to: &json)
        case .page: writeView("page_view", "page_name", to: &json)
        case .identify, .alias, .group: json.field("name", call.rawValue)
        case .track: writeTrack(to: &json)
        }
        if let context { json.field("context", copying: 0, of: context.written) }
        json.endObject()
    }

    private func writeTrack(to json: inout TapeWriter) {
        let name = fields[.event]
        let properties = fields[.properties]
        if tape.isString(name, "Order Completed") {
            writeOrder("purchase", properties, to: &json)
        } else if tape.isString(name, "Order Refunded") {
            writeOrder("refund", properties, to: &json)
        } else {
            json.field("name", copying: name, of: tape)
            json.field("params", copying: properties, of: tape)
        }
    }

    /// Maps Segment's order fields to native ones, so that they count as revenue.
    private func writeOrder(_ name: String, _ properties: Int?, to json: inout TapeWriter) {
        json.field("name", name)
        guard let properties, tape[properties].kind == .object else { return json.field("params", copying: properties, of: tape) }
        json.key("params")
        json.beginObject()
        json.field("value", copying: tape.first("value", "total", "revenue", of: properties), of: tape)
        json.id("transaction_id", copying: tape.first("transaction_id", "order_id", of: properties), of: tape)
        writeProducts(tape.first("items", "products", of: properties), to: &json)
        json.fields(of: properties, but: ["value", "transaction_id", "order_id", "items", "products"], in: tape)
        json.endObject()
    }

    private func writeProducts(_ list: Int?, to json: inout TapeWriter) {
        guard let list, tape[list].kind == .array else { return }
        json.key("items")
        json.beginArray()
        for product in tape.elements(of: list) { writeProduct(product, to: &json) }
        json.endArray()
    }

    private static let productFields: InlineArray<11, StaticString> = [
        "item_id", "product_id", "sku", "item_name", "name", "item_brand", "brand", "item_category", "category", "price", "quantity",
    ]

    private func writeProduct(_ product: Int, to json: inout TapeWriter) {
        let places = tape.places(of: SegmentCall.productFields, in: product)
        func first(_ fields: Range<Int>) -> Int? { fields.lazy.map { places[$0] }.first { $0 != 0 } }
        json.beginObject()
        json.id("item_id", copying: first(0..<3), of: tape)
        json.field("item_name", copying: first(3..<5), of: tape)
        json.field("item_brand", copying: first(5..<7), of: tape)
        json.field("item_category", copying: first(7..<9), of: tape)
        json.field("price", copying: first(9..<10), of: tape)
        json.field("quantity", copying: first(10..<11), of: tape)
        json.endObject()
    }

    private func writeView(_ name: String, _ field: StaticString, to json: inout TapeWriter) {
        json.field("name", name)
        let properties = fields[.properties]
        if let properties, tape[properties].kind != .object { return json.field("params", copying: properties, of: tape) }
        json.key("params")
        json.beginObject()
        let named = fields[.name] ?? properties.flatMap { tape.first("name", "title", "path", of: $0) }
        json.field(field, copying: named, of: tape)
        json.field("screen_class", copying: fields[.category], of: tape)
        json.fields(of: properties, but: [field, "name", "screen_class"], in: tape)
        json.endObject()
    }

    // MARK: Users

    private func person(to json: inout TapeWriter) {
        json.beginObject()
        writeTime(to: &json)
        writePerson(to: &json)
        if isPair || call == .alias { json.field("alias", true) }
        writeTraits(to: &json)
        json.endObject()
    }

    private func writeTraits(to json: inout TapeWriter) {
        guard call != .alias else { return }
        // RudderStack puts a user's traits into the context.
        let traits = fields[.traits] ?? (call == .identify ? context?.traits : nil)
        if let traits, tape[traits].kind != .object { return json.field("properties", copying: traits, of: tape) }
        json.key("properties")
        json.beginObject()
        if call == .group {
            json.id("group", copying: fields[.groupID], of: tape)
            json.fields(of: traits, prefix: "group_", in: tape)
        } else {
            json.fields(of: traits, in: tape)
        }
        json.endObject()
    }

    // MARK: Common fields

    private func writeTime(to json: inout TapeWriter) {
        json.field("timestamp", copying: fields[.timestamp] ?? fields[.originalTimestamp], of: tape)
    }

    private func writePerson(to json: inout TapeWriter) {
        json.id("user_id", copying: user, of: tape)
        json.id("installation_id", copying: anonymous, of: tape)
    }
}
