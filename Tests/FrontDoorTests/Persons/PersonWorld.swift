// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization
import TestSupport
import Testing

@testable import ingestd

/// Two apps with users over some days: one with everybody and one that Alice never used.
///
/// Alice has a phone of her own and shares a kiosk with Bob. All her data contains one word.
struct PersonWorld: Sendable {
    static let word = "alicesecret"
    static let user = "alicesecret-user"
    static let phone = "alicesecret-phone"
    static let start = Day(year: 2026, month: 8, day: 3).start + .hours(9)

    let live: LiveDaemon
    let everybody: AppKeys
    let others: AppKeys
    let clock: ManualClock
    private let number = Counter()

    private init(_ live: LiveDaemon, _ clock: ManualClock) async throws {
        self.live = live
        self.clock = clock
        everybody = try await live.api.makeApp("everybody")
        others = try await live.api.makeApp("others")
    }

    /// Runs `body` in a daemon with both apps after some days. The settings are those of the app with everybody.
    static func run<T: Sendable>(
        in folder: TemporaryFolder = TemporaryFolder(), days: Int = 3, settings: String? = nil, _ body: @Sendable (PersonWorld) async throws -> T
    ) async throws -> T {
        let clock = ManualClock(start)
        return try await withDaemon(in: folder, clock: clock.clock) { live in
            let world = try await PersonWorld(live, clock)
            if let settings {
                #expect(try await live.api.request("PATCH", "/v1/app", key: world.everybody.admin, body: Array(settings.utf8)).status == 200)
            }
            try await world.fill(days: days)
            return try await body(world)
        }
    }

    /// Sends a number of days of events, ending today.
    private func fill(days: Int) async throws {
        for day in 0..<days {
            if day > 0 { clock.advance(by: .days(1)) }
            try await postAlice()
            try await postCrowd()
        }
        try await postRefused()
        try await tellProperties()
    }

    func postCrowd() async throws {
        let events = (0..<400).map { place -> String in
            let person = place % 40
            let installation = person == 0 ? "kiosk" : "device-\(person)"
            let user = person % 3 == 0 && place % 4 < 3 && place / 40 % 2 == 0 ? #","user_id":"user-\#(person)""# : ""
            return event(place, #""installation_id":"\#(installation)","session_id":"\#(person)"\#(user)"#)
        }
        for keys in [everybody, others] { try await post(events, to: keys) }
    }

    func postAlice() async throws {
        let (user, session) = (#","user_id":"\#(Self.user)""#, #""session_id":"\#(Self.word)-session""#)
        let onPhone = (0..<60).map { place in
            event(place, #""installation_id":"\#(Self.phone)",\#(session)\#(place < 20 ? "" : user)"#, note: #","note":"\#(Self.word)-note""#)
        }
        // Times without other users of the kiosk, so that the owner of its anonymous events does not depend on key order.
        let elsewhere = (1...10).map { place in event(place, #""installation_id":"kiosk","session_id":"0"\#(user)"#) }
        let nowhere = (0..<5).map { place in event(place, #""session_id":"0"\#(user)"#) }
        try await post(onPhone + elsewhere + nowhere, to: everybody)
    }

    /// Sends rejected data that names Alice in each possible way.
    private func postRefused() async throws {
        let key = everybody.ingest
        let bodies = [
            #"[{"name": "9bad", "user_id": "\#(Self.user)"}, {"name": "9bad", "installation_id": "\#(Self.phone)"}]"#,
            #"{"user_id": "\#(Self.user)", "events": [{"name": "9bad", "user_id": "user-3"}]}"#,
            #"[{"name": "fine", "user_id": "\#(Self.user)", "user_id": "user-3"}]"#,
        ]
        for body in bodies { #expect(try Taken(await live.api.post("/v1/events", key: key, body)).accepted == 0) }
        let line = Array(#"{"name": "fine", "user_id": "\#(Self.user)""#.utf8)
        let headers = ["Content-Type": "application/x-ndjson"]
        #expect(try Taken(await live.api.request("POST", "/v1/events", key: key, headers: headers, body: line)) == Taken(quarantined: 1))
        let entry = #"{"users": [{"user_id": "\#(Self.user)", "alias": 7}]}"#
        #expect(try Taken(await live.api.post("/v1/users", key: key, entry)) == Taken(quarantined: 1))
        for keys in [everybody, others] { _ = try await live.api.post("/v1/events", key: keys.ingest, #"[{"name": "9bad", "user_id": "user-3"}]"#) }
    }

    private func tellProperties() async throws {
        let hers = #"{"user_id": "\#(Self.user)", "installation_id": "\#(Self.phone)", "alias": true, "properties": {"tier": "\#(Self.word)-tier"}}"#
        let device = #"{"installation_id": "\#(Self.phone)", "properties": {"color": "\#(Self.word)-red"}}"#
        #expect(try Taken(await live.api.post("/v1/users", key: everybody.ingest, #"{"users": [\#(hers), \#(device)]}"#)) == Taken(accepted: 2))
        for keys in [everybody, others] {
            let his = #"{"users": [{"user_id": "user-3", "properties": {"tier": "gold"}}]}"#
            #expect(try Taken(await live.api.post("/v1/users", key: keys.ingest, his)) == Taken(accepted: 1))
        }
    }

    private func event(_ place: Int, _ who: String, note: String = "") -> String {
        // Some events are late, some are from the day before.
        let age = place % 17 == 0 ? 80 * 3_600 : place % 11 == 0 ? 20 * 3_600 : place * 13
        let time = clock.now.milliseconds / 1_000 - Int64(age)
        let what =
            switch place % 7 {
            case 0: #""name":"screen_view","params":{"screen_name":"Screen \#(place % 4)"\#(note)}"#
            case 1: #""name":"purchase","params":{"transaction_id":"t-\#(number.next())","value":\#(place).25,"currency":"EUR"\#(note)}"#
            case 2: #""name":"refund","params":{"value":1.5,"currency":"USD"\#(note)}"#
            case 3: #""name":"app_error","params":{"error_description":"no \#(place)"\#(note)}"#
            default: #""name":"event_\#(place % 3)","params":{"n":\#(place)\#(note)}"#
            }
        return #"{"id":"e-\#(number.next())",\#(who),"timestamp":\#(time),\#(what)}"#
    }

    func post(_ events: [String], to keys: AppKeys) async throws {
        let taken = try Taken(await live.api.post("/v1/events", key: keys.ingest, "[\(events.joined(separator: ","))]"))
        #expect(taken == Taken(accepted: events.count))
    }

    // MARK: Queries

    /// The responses of all kinds of queries over the whole time.
    func figures(of keys: AppKeys) async throws -> [String: String] {
        let range = "from=\((Self.start - .days(8)).rfc3339)&to=\((Self.start + .days(8)).rfc3339)"
        var answers: [String: String] = [:]
        for query in [
            "series?metric=events&interval=hour", "series?metric=users&interval=day", "series?metric=sessions&interval=day",
            "series?metric=screen_views&interval=day", "series?metric=revenue&interval=day", "series?metric=purchases&interval=hour",
            "active-users?", "retention?start=first_open&return=any&interval=day&periods=4", "revenue?interval=day", "lifecycle?interval=day",
            "sessions?",
            "top?field=name", "top?field=params.screen_name",
        ] {
            let answer = try await live.api.get("/v1/query/\(query)&\(range)".replacing("?&", with: "?"), key: keys.read)
            if answer.status != 200 { Issue.record("\(query): \(answer.text)") }
            answers[query] = answer.text
        }
        return answers
    }

    /// The files that contain Alice's word.
    func filesNamingAlice() throws -> [String] {
        let root = live.folder
        let names = try Folder.names(in: root).map { root + "/" + $0 } + Folder.names(in: root + "/events").map { root + "/events/" + $0 }
        return try names.filter { try Self.holds($0, Array(Self.word.utf8)) }
    }

    private static func holds(_ path: String, _ word: [UInt8]) throws -> Bool {
        guard path.hasSuffix(".db") || path.contains("-wal") || path.hasSuffix(".run") else { return false }
        let file = try File(path, .read)
        return try file.read(at: 0, count: file.size).holds(word)
    }
}

/// A counter from 1.
final class Counter: Sendable {
    private let last = Mutex(0)

    func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
