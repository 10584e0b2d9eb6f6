// SPDX-License-Identifier: Apache-2.0

import JSON
import Panes
import Platform

/// The demo shop: generates events and crashes.
struct DemoWorld: Sendable {
    /// An event or crash as JSON.
    struct Event: Sendable {
        let time: Timestamp
        let json: [UInt8]
    }

    /// Generated events and crashes.
    struct Reports: Sendable {
        var events: [Event] = []
        var crashes: [Event] = []

        fileprivate static func += (all: inout Reports, more: Reports) {
            all.events += more.events
            all.crashes += more.crashes
        }

        /// The reports up to a time, in order.
        fileprivate func until(_ now: Timestamp) -> Reports {
            let over = { (events: [Event]) in events.filter { $0.time <= now }.sorted { $0.time < $1.time } }
            return Reports(events: over(events), crashes: over(crashes))
        }
    }

    private var chance: SeededGenerator
    let people: [DemoPerson]
    private var orders: Int64 = 0
    private let run: UInt64

    init(people count: Int, seed: UInt64) {
        var chance = SeededGenerator(seed)
        people = (1...count).map { DemoPerson($0, &chance) }
        run = chance.next() >> 40
        self.chance = chance
    }

    /// The reports of the last days, in order.
    mutating func history(days: Int64, until now: Timestamp) -> Reports {
        var reports = Reports()
        for person in people {
            var isNew = true
            for hour in (0..<days * 24).reversed() where chance.happens(person.eagerness * DemoWorld.liveliness(now - .hours(hour))) {
                let start = now - .hours(hour) - .seconds(chance.number(0...3_599))
                reports += visit(of: person, at: start, isFirst: isNew)
                isNew = false
            }
        }
        return reports.until(now)
    }

    /// A part of a visit at the given time.
    mutating func moment(at now: Timestamp) -> Reports {
        let person = chance.pick(people)
        return visit(of: person, at: now - .seconds(chance.number(20...90)), isFirst: false).until(now)
    }

    /// The share of visits by hour: evenings are busy.
    private static func liveliness(_ time: Timestamp) -> Double {
        let hour = Int((time.milliseconds / 3_600_000) % 24)
        return [0.3, 0.2, 0.15, 0.15, 0.2, 0.3, 0.6, 0.9, 1, 1, 1, 1.1, 1.3, 1.1, 1, 1, 1.1, 1.4, 1.7, 2, 2, 1.7, 1.1, 0.6][hour]
    }

    // MARK: A visit

    private mutating func visit(of person: DemoPerson, at start: Timestamp, isFirst: Bool) -> Reports {
        var time = start
        var reports = Reports()
        let session = "\(run)-\(person.number)-\(start.milliseconds / 1_000)"
        func add(_ name: String, _ build: (inout JSONWriter) -> Void = { _ in }) {
            reports.events.append(Event(time: time, json: DemoWorld.event(name, person, session, time, build)))
        }
        if isFirst { add("first_open") }
        add("session_start")
        for step in 0..<chance.number(2...8) {
            time = time + .seconds(chance.number(3...60))
            let screen =
                step == 0 ? "Home" : chance.pick(["Home", "Search", "Product", "Product", "Product", "Cart", "Profile", "Settings", "Größen"])
            add("screen_view") { $0.field("screen_name", screen) }
            guard chance.happens(0.45) else { continue }
            time = time + .seconds(chance.number(1...20))
            switch screen {
            case "Search": add("search") { $0.field("search_term", "boots") }
            case "Product":
                add("view_item") { $0.field("item_id", "sku_7") }
                if chance.happens(0.5) { add("add_to_cart") { $0.field("item_id", "sku_7") } }
            case "Cart": buy(person, add)
            case "Profile": add("share") { $0.field("method", "link") }
            default: add("scroll") { $0.field("percent_scrolled", 90) }
            }
        }
        if chance.happens(0.02) { add(chance.pick(["9lives", "", "with space", "firebase_campaign"])) }
        if chance.happens(0.03), let crash = DemoCrash.any(of: person, &chance) {
            time = time + .seconds(chance.number(1...20))
            reports.crashes.append(Event(time: time, json: crash.report(of: person, session, at: time)))
        }
        return reports
    }

    private mutating func buy(_ person: DemoPerson, _ add: (String, (inout JSONWriter) -> Void) -> Void) {
        orders += 1
        let (order, cents) = ("\(run)-\(orders)", chance.number(4...120) * 100 - 1)
        let write: (inout JSONWriter) -> Void = { json in
            json.key("value")
            json.decimal(millionths: cents * 10_000)
            json.field("currency", person.country.currency)
            json.field("transaction_id", order)
        }
        add("begin_checkout") { $0.field("currency", person.country.currency) }
        guard chance.happens(0.7) else { return }
        add("purchase", write)
        if chance.happens(0.08) { add("refund", write) }
    }

    private static func event(
        _ name: String, _ person: DemoPerson, _ session: String, _ time: Timestamp, _ params: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("name", name)
        json.field("timestamp", time.rfc3339)
        json.field("session_id", session)
        person.writeIdentity(to: &json)
        person.writeContext(to: &json)
        json.key("params")
        json.beginObject()
        params(&json)
        json.endObject()
        json.endObject()
        return json.bytes
    }
}
