// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Foundation
import Platform
import AcrossStores
import TestSupport

/// Thirty days of an app (`--days`), received as they happened: 50 names by a Zipf law, 100,000 people (`--people`) of whom about 28,000 are
/// active a day, five parameters, a purchase in twenty events. The same rows are written to a CSV file (`--csv`), to compare other databases.
struct Month {
    private static let names = ["screen_view", "purchase"] + (0..<48).map { "event_\($0)" }
    /// Cumulative sums of 1/rank; the share of purchases is separate.
    private static let ranks: [Double] = {
        var sum = 0.0
        return (0..<49).map {
            sum += 1 / Double($0 + 1); return sum
        }
    }()

    static func fill(_ options: Options) async throws {
        let days = options.days
        let today = Day(of: WallClock.system.now()).start
        let clock = ManualClock(today - .days(Int64(days - 1)))
        if !options.csv.isEmpty { _ = FileManager.default.createFile(atPath: options.csv, contents: nil) }
        let csv = options.csv.isEmpty ? nil : try FileHandle(forWritingTo: URL(fileURLWithPath: options.csv))
        try csv?.write(contentsOf: Data("time,name,user,installation,session,screen,level,platform,amount,currency\n".utf8))
        let store = try Stores(options.folder, clock: clock.clock) { fatalError($0) }
        async let running: Void = store.run()
        let (app, keys) = try await store.events.createAppWithKeys(named: "bench")
        for (role, secret) in keys where role == .read || role == .ingest { print("\(role.rawValue) \(secret)") }
        var random = Xorshift(state: 0x1234_5678_9abc_def1)
        let start = ContinuousClock.now
        for day in 0..<days {
            let midnight = today - .days(Int64(days - 1 - day))
            let end = day == days - 1 ? min(WallClock.system.now(), midnight + .days(1)) : midnight + .days(1)
            var events = sessions(options.events / days, options, from: midnight, to: end, &random)
            events.sort { $0.time < $1.time }
            for chunk in stride(from: 0, to: events.count, by: 2_000) {
                let part = events[chunk..<min(chunk + 2_000, events.count)]
                clock.set(max(clock.now, part.last?.time ?? clock.now))
                _ = try await store.events.submit(submission(part, store, app.id, clock.now, &random, csv))
            }
        }
        print("filled with \(options.events) events in \(ContinuousClock.now - start)")
        store.close()
        await running
        try csv?.close()
    }

    private struct Event {
        var time: Timestamp
        var person: Int
        var session: Int
    }

    private static func sessions(_ count: Int, _ options: Options, from: Timestamp, to: Timestamp, _ random: inout Xorshift) -> [Event] {
        var events: [Event] = []
        events.reserveCapacity(count + 16)
        let length = UInt64((to - from).milliseconds)
        while events.count < count {
            let (person, session) = (Int(random.next() % UInt64(options.people)), Int(random.next() >> 20))
            var time = from + .init(milliseconds: Int64(random.next() % length))
            for _ in 0..<(1 + random.next() % UInt64(2 * options.length)) where events.count < count && time < to {
                events.append(Event(time: time, person: person, session: session))
                time = time + .init(milliseconds: Int64(random.next() % 60_000))
            }
        }
        return events
    }

    private static func submission(
        _ events: ArraySlice<Event>, _ store: Stores, _ app: AppID, _ received: Timestamp, _ random: inout Xorshift, _ csv: FileHandle?
    ) throws -> EventSubmission {
        var builder = SubmissionBuilder(app: app, store: store, received: received)
        var lines = ""
        for event in events {
            let name = name(&random)
            let (user, installation, session) = ("user-\(event.person)", "installation-\(event.person)", "s-\(event.session)")
            let (level, screen) = (Int(random.next() % 100), "Screen \(random.next() % 20)")
            let amount = name == "purchase" ? Int64(1 + random.next() % 50) * 990_000 : 0
            let currency = random.next() % 3 == 0 ? "USD" : "EUR"
            let money = amount > 0 ? #","value":\#(Double(amount) / 1_000_000),"currency":"\#(currency)""# : ""
            let params = #"{"screen_name":"\#(screen)","plan":"pro","level":\#(level),"ratio":0.25,"text":"abcdefghijkl"\#(money)}"#
            let id = UUID128(high: random.next(), low: random.next())
            let platform = ["ios", "android"][Int(random.next() % 2)]
            let sale = SubmissionBuilder.Typed.sale(transaction: nil, amount: amount, currency: currency)
            builder.add(
                name, id: String(decoding: id.text, as: UTF8.self), time: event.time, user: event.person % 4 == 0 ? nil : user,
                installation: installation, session: session, context: [platform], params: params,
                typed: name == "screen_view" ? .screen(screen) : amount > 0 ? sale : .nothing)
            guard csv != nil else { continue }
            let who = event.person % 4 == 0 ? "" : user
            lines +=
                "\(event.time.milliseconds),\(name),\(who),\(installation),\(session),\(screen),\(level),\(platform),\(amount),\(amount > 0 ? currency : "")\n"
        }
        try csv?.write(contentsOf: Data(lines.utf8))
        return builder.submission()
    }

    private static func name(_ random: inout Xorshift) -> String {
        if random.next() % 20 == 0 { return "purchase" }
        let place = Double(random.next() % 1_000_000) / 1_000_000 * ranks[ranks.count - 1]
        let rank = ranks.firstIndex { place < $0 } ?? 0
        return rank == 0 ? names[0] : names[rank + 1]
    }
}

/// A generator with a fixed seed.
struct Xorshift: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_f491_4f6c_dd1d
    }
}
