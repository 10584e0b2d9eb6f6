// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import TestSupport

/// Generates a log from a seed, with few people and few names, so that they coincide often.
struct LogMaker {
    var random: SeededGenerator
    let era: Era
    private let seed: UInt64
    private let users: [String]
    private let installations: [String]
    private var events: [LoggedEvent] = []

    static func log(_ seed: UInt64, _ era: Era) -> Log {
        var maker = LogMaker(seed, era)
        return maker.log()
    }

    private init(_ seed: UInt64, _ era: Era) {
        random = SeededGenerator(seed)
        self.seed = seed
        self.era = era
        users = Array(["ann", "bob", "cyd", "dee"].prefix(Int.random(in: 1...4, using: &random)))
        // One has the same text as a user ID.
        installations = Array(["i1", "ann", "i2", "i3"].prefix(Int.random(in: 1...4, using: &random)))
    }

    private mutating func log() -> Log {
        let count = Int.random(in: 30...150, using: &random)
        while events.count < count { burst() }
        var log = Log(
            seed: seed, era: era, events: Array(repeating: [], count: Log.days), updates: Array(repeating: [], count: Log.days),
            crashes: Array(repeating: [], count: Log.days),
            now: era.day.start + .days(Int64(Log.days) - 1) + .init(milliseconds: Int64.random(in: 0..<Day.milliseconds, using: &random)))
        for event in events {
            log.events[Int.random(in: 0..<Log.days, using: &random)].append(event)
            // A duplicate on the same or another day.
            if chance(0.1) { log.events[Int.random(in: 0..<Log.days, using: &random)].append(event) }
        }
        for day in log.events.indices { log.events[day].shuffle(using: &random) }
        for _ in 0..<Int.random(in: 0...9, using: &random) { log.updates[Int.random(in: 0..<Log.days, using: &random)].append(update()) }
        for number in 0..<Int.random(in: 0...12, using: &random) { log.crashes[Int.random(in: 0..<Log.days, using: &random)].append(crash(number)) }
        return log
    }

    // MARK: People and times

    /// Generates a crash, often by the user and near the time of a known event.
    private mutating func crash(_ number: Int) -> LoggedEvent {
        var crash = LoggedEvent(id: "crash \(number)", name: "", time: moment())
        crash.user = chance(0.5) ? pick(users) : nil
        crash.installation = chance(0.7) ? pick(installations) : nil
        crash.session = chance(0.4) ? pick(["s1", "s2", "s3"]) : nil
        if chance(0.5), let other = events.randomElement(using: &random) {
            (crash.user, crash.session, crash.time) = (other.user, other.session, other.time + .init(milliseconds: pause()))
        }
        crash.context = [
            pick(["ios", "android", nil]), pick(["1.0", "1.1", "2.0", nil]), nil, pick(["17", "18.1", nil]), pick(["Phone", "Tablet", nil]),
        ]
        return crash
    }

    /// Generates some events of the same user and installation in quick succession.
    private mutating func burst() {
        let (user, installation) = (pick(users), pick(installations))
        let session = chance(0.5) ? pick(["s1", "s2", "s3"]) : nil
        var time = moment()
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            // The user signs in or out, or another one takes over the device.
            let who = Int.random(in: 0..<100, using: &random)
            var event = LoggedEvent(id: "event \(events.count)", name: name(), time: time)
            event.user = who < 55 ? user : who < 62 ? pick(users) : nil
            event.installation = who < 40 || (55..<90).contains(who) ? installation : who < 45 ? pick(installations) : nil
            event.session = chance(0.85) ? session : pick(["s1", "s2", "s3"])
            fill(&event)
            events.append(event)
            time = time + .init(milliseconds: pause())
        }
    }

    /// A pause: often zero, near the session timeout, or near the limit for engagement.
    private mutating func pause() -> Int64 {
        let exact: [Int64] = [0, 0, 1, 10_000, 10_001, 1_799_999, 1_800_000, 1_800_001, 60_000, 3_600_000, Day.milliseconds]
        return chance(0.4) ? pick(exact) : Int64.random(in: 0..<2_400_000, using: &random)
    }

    private mutating func moment() -> Timestamp {
        if chance(0.15), let other = events.randomElement(using: &random) { return other.time }
        let start = era.day.start.milliseconds
        let span = Int64(Log.days) * Day.milliseconds
        if chance(0.1) { return Timestamp(milliseconds: start - Int64.random(in: 0..<40 * Day.milliseconds, using: &random)) }
        let time = Timestamp(milliseconds: start + Int64.random(in: -2 * Day.milliseconds..<span, using: &random))
        return chance(0.4) ? edge(near: time) : time
    }

    /// Returns the start of a minute, quarter-hour, hour or day in the era's zone, or the millisecond before.
    private mutating func edge(near time: Timestamp) -> Timestamp {
        let before: Int64 = chance(0.5) ? 0 : 1
        if chance(0.5), let zone = ZoneOffsets(era.zone) {
            return zone.moment(ofLocal: Day(of: zone.local(time)).start) - .init(milliseconds: before)
        }
        let unit: Int64 = pick([60_000, 900_000, 3_600_000])
        return Timestamp(milliseconds: time.milliseconds.flooredQuotient(by: unit) * unit - before)
    }

    // MARK: Names and parameters

    private mutating func name() -> String {
        pick([
            "screen_view", "screen_view", "screen_view", "purchase", "purchase", "in_app_purchase", "refund", "first_open", "sign_up", "sign_up",
            "level_up",
            "level_up", "session_start", "session_crash",
        ])
    }

    private mutating func fill(_ event: inout LoggedEvent) {
        if chance(0.6) {
            event.context =
                [pick(["ios", "android", nil]), pick(["1.0", "1.1", "2.0", "10.0", nil])] + [nil, nil, nil, nil, pick(["NZ", "EG", nil]), nil]
        }
        if event.name == "screen_view", chance(0.85) {
            event.params.append(text("screen_name", pick(["Home", "Cart", "Cafe\u{301} \"1\"", "Caf\u{e9} \"1\"", "a\\b/c"])))
        }
        if EventKind(name: Array(event.name.utf8).span).isMoney { sell(&event) }
        var spare = ["n", "color", "names;of=\"many\"\\", "deep", "flag"]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            event.params.append(param(spare.remove(at: Int.random(in: spare.indices, using: &random))))
        }
        event.params.shuffle(using: &random)
    }

    private mutating func sell(_ event: inout LoggedEvent) {
        let (json, amount): (String, Int64) = pick([
            ("5", 5_000_000), ("0.99", 990_000), ("\"12.345678\"", 12_345_678), ("0", 0), ("1e2", 100_000_000), ("0.000001", 1), ("3.10", 3_100_000),
        ])
        event.amount = amount
        event.params.append(.init(name: "value", json: json, text: json.filter { $0 != "\"" }))
        if chance(0.85) {
            event.currency = pick(["EUR", "USD"])
            event.params.append(text("currency", event.currency ?? ""))
        }
        if chance(0.7) { addItems(to: &event) }
        if chance(0.5) {
            event.transaction = "t\(Int.random(in: 0..<20, using: &random))"
            event.isTrusted = chance(0.25)
        }
    }

    private mutating func update() -> LoggedUpdate {
        let who = Int.random(in: 0..<3, using: &random)
        return LoggedUpdate(
            time: moment(), user: who > 0 ? pick(users) : nil, installation: who < 2 ? pick(installations) : nil, name: pick(["tier", "age"]),
            value: chance(0.8) ? pick([scalar("tier"), text("tier", "pro"), text("tier", "free")]) : nil, isAlias: who == 1 && chance(0.7))
    }

    // MARK: Chance

    mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

    mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &random)] }
}
