import JSON

/// What we keep of where calls came from; one call after the other mostly comes from the same place.
struct SegmentContexts {
    private var last: (text: Range<Int>, written: JSONTape)?

    /// The context in our words.
    mutating func written(_ context: Int, in tape: JSONTape) -> JSONTape {
        let text = tape.slice(context)
        if let last, tape.isSame(last.text, text) { return last.written }
        let written = SegmentContexts.write(context, tape)
        last = (text, written)
        return written
    }

    private static func write(_ context: Int, _ tape: JSONTape) -> JSONTape {
        var json = TapeWriter()
        json.beginObject()
        if isOfPage(context, tape) {
            json.field("platform", "web")
        } else {
            json.platform(tape.value(at: "os", "name", of: context) ?? tape.value(at: "device", "type", of: context), of: tape)
        }
        json.field("os_version", copying: tape.value(at: "os", "version", of: context), of: tape)
        json.field("app_version", copying: tape.value(at: "app", "version", of: context), of: tape)
        json.id("build", copying: tape.value(at: "app", "build", of: context), of: tape)
        json.field("device_model", copying: tape.value(at: "device", "model", of: context), of: tape)
        json.field("locale", copying: tape.value("locale", of: context), of: tape)
        json.field("country", copying: tape.value(at: "location", "country", of: context), of: tape)
        json.endObject()
        return json.tape()
    }

    /// The libraries for pages say which page they are in.
    private static func isOfPage(_ context: Int, _ tape: JSONTape) -> Bool {
        tape.value(at: "page", "url", of: context) != nil || tape.isString(tape.value(at: "library", "name", of: context), "analytics.js")
    }
}
