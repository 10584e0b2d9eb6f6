// SPDX-License-Identifier: Apache-2.0

import JSON

/// The context of calls, translated once for all calls with the same one.
struct SegmentContext {
    /// The translated context.
    let written: JSONTape
    let sessionID: Int?
    /// The traits of a user, where RudderStack puts them.
    let traits: Int?

    private enum Field: Int {
        case os, device, app, page, library, location, locale, sessionID, traits
    }

    private static let names: InlineArray<9, StaticString> = [
        "os", "device", "app", "page", "library", "location", "locale", "sessionId", "traits",
    ]

    init(at context: Int, in tape: JSONTape) {
        let places = tape.places(of: SegmentContext.names, in: context)
        func place(_ field: Field) -> Int? { places[field.rawValue] == 0 ? nil : places[field.rawValue] }
        func inner(_ field: Field, _ name: StaticString) -> Int? { place(field).flatMap { tape.value(name, of: $0) } }
        sessionID = place(.sessionID)
        traits = place(.traits)
        var json = TapeWriter()
        json.beginObject()
        // Browser libraries send the page.
        if inner(.page, "url") != nil || tape.isString(inner(.library, "name"), "analytics.js") {
            json.field("platform", "web")
        } else {
            json.platform(inner(.os, "name") ?? inner(.device, "type"), of: tape)
        }
        json.field("os_version", copying: inner(.os, "version"), of: tape)
        json.field("app_version", copying: inner(.app, "version"), of: tape)
        json.id("build", copying: inner(.app, "build"), of: tape)
        json.field("device_model", copying: inner(.device, "model"), of: tape)
        json.field("locale", copying: place(.locale), of: tape)
        json.field("country", copying: inner(.location, "country"), of: tape)
        json.endObject()
        written = json.tape()
    }
}

/// The contexts of a request's calls. Consecutive calls usually have the same one.
struct SegmentContexts {
    private let shared: SegmentContext?
    /// The last call's own context and its text.
    private var last: (text: Range<Int>, context: SegmentContext)?

    init(shared: SegmentContext?) {
        self.shared = shared
    }

    /// Returns the context at `place`, else the one shared by all calls of the request.
    mutating func context(at place: Int?, in tape: JSONTape) -> SegmentContext? {
        guard let place else { return shared }
        let text = tape.slice(place)
        if let last, tape.isSame(last.text, text) { return last.context }
        let context = SegmentContext(at: place, in: tape)
        last = (text, context)
        return context
    }
}
