// SPDX-License-Identifier: Apache-2.0

import JSON
import Panes
import Platform

/// A crash of the demo app.
struct DemoCrash: Sendable {
    private struct Frame {
        let function: String
        let file: String
        let line: Int64
        var isOurs = true
    }

    let kind: String
    /// The platform and, for some, the only release.
    private let platform: String
    private var version: String?
    private let type: String
    private let reason: String
    /// Outermost first.
    private let frames: [Frame]
    private let crumbs: [(category: String, message: String)]
    /// Whether the last frame is in a library without symbols.
    private var isUnreadable = false

    private static let all = [
        DemoCrash(
            kind: "fatal", platform: "ios", type: "EXC_BAD_ACCESS", reason: "Attempted to dereference a null pointer",
            frames: [
                Frame(function: "main", file: "main.swift", line: 9),
                Frame(function: "CartView.pay(with:)", file: "CartView.swift", line: 118),
                Frame(function: "Coupon.first(valid:)", file: "Coupon.swift", line: 41),
            ], crumbs: [("navigation", "Cart"), ("ui.tap", "apply coupon"), ("http", "GET /coupons 200")]),
        DemoCrash(
            kind: "fatal", platform: "ios", version: "2.3.0", type: "EXC_CRASH", reason: "abort() called",
            frames: [
                Frame(function: "main", file: "main.swift", line: 9),
                Frame(function: "Reader.show(_:)", file: "Reader.swift", line: 77),
            ], crumbs: [("navigation", "Product"), ("ui.tap", "show in my room")], isUnreadable: true),
        DemoCrash(
            kind: "fatal", platform: "android", type: "java.lang.NullPointerException",
            reason: "Attempt to invoke virtual method 'int Item.getPrice()' on a null object reference",
            frames: [
                Frame(function: "android.os.Looper.loop", file: "Looper.java", line: 288, isOurs: false),
                Frame(function: "shop.ProductFragment.onViewCreated", file: "ProductFragment.kt", line: 64),
                Frame(function: "shop.PriceLabel.bind", file: "PriceLabel.kt", line: 23),
            ], crumbs: [("navigation", "Search"), ("http", "GET /items/sku_7 404"), ("navigation", "Product")]),
        DemoCrash(
            kind: "anr", platform: "android", type: "ApplicationNotResponding", reason: "Input dispatching timed out after 5000 ms",
            frames: [
                Frame(function: "android.os.Looper.loop", file: "Looper.java", line: 288, isOurs: false),
                Frame(function: "shop.Images.decode", file: "Images.kt", line: 151),
            ], crumbs: [("navigation", "Home"), ("app", "low memory")]),
        DemoCrash(
            kind: "nonfatal", platform: "ios", type: "URLError", reason: "The request timed out.",
            frames: [
                Frame(function: "Catalogue.refresh()", file: "Catalogue.swift", line: 33),
                Frame(function: "Server.get(_:)", file: "Server.swift", line: 58),
            ], crumbs: [("http", "GET /catalogue")]),
        DemoCrash(
            kind: "nonfatal", platform: "web", type: "TypeError", reason: "Cannot read properties of undefined (reading 'amount')",
            frames: [
                Frame(function: "render", file: "react-dom.js", line: 4_127, isOurs: false),
                Frame(function: "Total", file: "cart.js", line: 87),
            ], crumbs: [("ui.click", "button.remove"), ("navigation", "Cart")]),
    ]

    /// A random crash of a person's platform; fatal ones are rarer.
    static func any(of person: DemoPerson, _ chance: inout SeededGenerator) -> DemoCrash? {
        let possible = all.filter { $0.platform == person.platform.name && $0.version ?? person.version == person.version }
        guard !possible.isEmpty else { return nil }
        let crash = chance.pick(possible)
        return crash.kind == "nonfatal" || chance.happens(0.4) ? crash : nil
    }

    // MARK: JSON

    func report(of person: DemoPerson, _ session: String, at time: Timestamp) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("timestamp", time.rfc3339)
        json.field("kind", kind)
        json.field("type", type)
        json.field("reason", reason)
        json.field("handled", kind == "nonfatal")
        json.field("session_id", session)
        person.writeIdentity(to: &json)
        person.writeContext(to: &json)
        json.key("frames")
        json.beginArray()
        for frame in way(of: person) { DemoCrash.write(frame, to: &json) }
        if isUnreadable { writeUnreadable(to: &json) }
        json.endArray()
        if isUnreadable { writeImage(to: &json) }
        json.key("breadcrumbs")
        json.beginArray()
        for (index, crumb) in crumbs.enumerated() {
            json.beginObject()
            json.field("timestamp", (time - .seconds(Int64(crumbs.count - index) * 2)).rfc3339)
            json.field("category", crumb.category)
            json.field("message", crumb.message)
            json.endObject()
        }
        json.endArray()
        json.key("custom_keys")
        json.beginObject()
        json.field("tier", person.number.isMultiple(of: 5) ? "gold" : "free")
        json.endObject()
        json.endObject()
        return json.bytes
    }

    /// Some crashes take another path, which makes a second variant.
    private func way(of person: DemoPerson) -> [Frame] {
        let detour = person.number.isMultiple(of: 3) ? [Frame(function: "Router.open", file: "Router", line: 12)] : []
        return frames.prefix(1) + detour + frames.dropFirst()
    }

    private static func write(_ frame: Frame, to json: inout JSONWriter) {
        json.beginObject()
        json.field("function", frame.function)
        json.field("filename", frame.file)
        json.field("lineno", frame.line)
        json.field("in_app", frame.isOurs)
        json.endObject()
    }

    private static let library = "/private/var/containers/Bundle/Application/Shop.app/Frameworks/Room.framework/Room"

    private func writeUnreadable(to json: inout JSONWriter) {
        json.beginObject()
        json.field("package", DemoCrash.library)
        json.field("instruction_addr", "0x200004d2a")
        json.field("image_addr", "0x200000000")
        json.field("in_app", true)
        json.endObject()
    }

    private func writeImage(to json: inout JSONWriter) {
        json.key("images")
        json.beginArray()
        json.beginObject()
        json.field("type", "macho")
        json.field("debug_id", "5a3f0c1e-77b2-4a8e-9d10-c0ffee000001")
        json.field("image_addr", "0x200000000")
        json.field("image_size", 65_536)
        json.field("code_file", DemoCrash.library)
        json.field("arch", "arm64")
        json.endObject()
        json.endArray()
    }
}
