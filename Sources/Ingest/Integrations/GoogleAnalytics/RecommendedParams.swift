// SPDX-License-Identifier: Apache-2.0

import Events
import JSON

/// A violated recommendation.
struct MeasurementFault: Sendable {
    let reason: Reason
    let field: String
    let message: String
}

/// Google's recommendations for its standard events.
enum RecommendedParams {
    private static let wanted: [String: [StaticString]] = [
        "purchase": ["transaction_id", "items", "value"], "refund": ["transaction_id", "value"], "add_to_cart": ["value", "items"],
        "add_to_wishlist": ["value", "items"], "begin_checkout": ["value", "items"], "add_payment_info": ["value", "items"],
        "add_shipping_info": ["value", "items"], "view_cart": ["value", "items"], "view_item": ["value", "items"],
        "remove_from_cart": ["value", "items"], "view_item_list": ["items"], "view_promotion": ["items"], "select_item": ["items"],
        "generate_lead": ["value"], "search": ["search_term"], "post_score": ["score"],
        "spend_virtual_currency": ["value", "virtual_currency_name"], "unlock_achievement": ["achievement_id"],
    ]

    static func faults(of event: Int, in tape: JSONTape) -> [MeasurementFault] {
        guard let name = tape.value("name", of: event).flatMap({ tape.text(tape[$0]) }) else { return [] }
        let params = tape.value("params", of: event) ?? event
        let missing = (wanted[name] ?? []).filter { tape.value($0, of: params) == nil }
        return missing.map { fault("\($0)", "An event \(name) should have it.") } + money(params, tape) + items(params, tape)
    }

    private static func fault(_ field: String, _ message: String) -> MeasurementFault {
        MeasurementFault(reason: .missingType, field: "params.\(field)", message: message)
    }

    /// Checks that a value comes with a currency and vice versa.
    private static func money(_ params: Int, _ tape: JSONTape) -> [MeasurementFault] {
        switch (tape.value("value", of: params), tape.value("currency", of: params)) {
        case (nil, .some): [fault("value", "A currency needs a value.")]
        case (.some, nil): [fault("currency", "A value needs a currency.")]
        case (nil, nil), (.some, .some): []
        }
    }

    private static func items(_ params: Int, _ tape: JSONTape) -> [MeasurementFault] {
        guard let items = tape.value("items", of: params) else { return [] }
        return tape.elements(of: items).enumerated().compactMap { number, place in
            let isNamed = tape.value("item_id", of: place) != nil || tape.value("item_name", of: place) != nil
            return isNamed ? nil : fault("items[\(number)]", "An item needs an item_id or an item_name.")
        }
    }
}
