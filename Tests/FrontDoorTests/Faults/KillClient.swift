// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport

/// A client that sends events and remembers the responses.
struct KillClient: FaultClient {
    private let number: Int
    private let keys: AppKeys
    private let tellsTime: Bool
    /// Whether it is a server, which reports purchases and refunds with a secret key.
    private let isServer: Bool
    private var random: SeededGenerator
    private var next = 0
    private var unanswered: KillRequest?
    /// The acknowledged events by app and ID, and those with another event's transaction.
    private var acknowledged: Set<String> = []
    private var refused: Set<String> = []
    private(set) var sent: Set<String> = []
    private var problems: [String] = []

    var isUnanswered: Bool { unanswered != nil }

    /// Events without timestamps are accepted by a daemon with a wrong clock.
    init(number: Int, keys: AppKeys, seed: UInt64, tellsTime: Bool = true, isServer: Bool = false) {
        self.number = number
        self.keys = keys
        self.tellsTime = tellsTime
        self.isServer = isServer
        random = SeededGenerator(seed)
    }

    mutating func request() -> [UInt8] {
        let request = unanswered ?? makeRequest()
        unanswered = request
        sent.formUnion(request.ids.map(stored))
        return TestClient.bytes("POST", "/v1/events", key: isServer ? keys.send : keys.ingest, body: Array(request.body.utf8))
    }

    func problems(in folder: StoredFolder) -> [String] {
        let stored = Set(folder.events.ids.keys)
        let uninvited = refused.intersection(stored)
        return problems + StoredFolder.lost(acknowledged, from: stored, "acknowledged events")
            + (uninvited.isEmpty ? [] : ["\(uninvited.count) events are stored against their answer"])
    }

    private func stored(_ id: String) -> String { "\(keys.app)/\(id)" }

    mutating func note(_ reply: Reply) {
        guard let request = unanswered else { return }
        unanswered = nil
        guard reply.status == 200, let results = try? JSON(reply)["results"].items else {
            problems.append("a request got \(reply.status): \(reply.text.prefix(200))")
            return
        }
        let refusedHere = Set(results.filter { $0["code"].text == "transaction_duplicate" }.map(\.["id"].text))
        refused.formUnion(refusedHere.map(stored))
        acknowledged.formUnion(request.ids.filter { !refusedHere.contains($0) }.map(stored))
        for result in results where result["result"].text == "quarantined" { problems.append("an event was quarantined: \(result["message"].text)") }
    }

    // MARK: Requests

    private mutating func makeRequest() -> KillRequest {
        let count = Bool.random(using: &random) ? 1 : Int.random(in: 2...200, using: &random)
        var request = KillRequest()
        for _ in 0..<count {
            // Some IDs repeat an earlier one of this or an older request. An ID always belongs to the same event.
            let repeats = next > 0 && Int.random(in: 0..<8, using: &random) == 0
            let event = repeats ? Int.random(in: 0..<next, using: &random) : next
            if !repeats { next += 1 }
            request.add(id: id(of: event), event: KillEvent(client: number, number: event, tellsTime: tellsTime, isSale: isServer))
        }
        return request
    }

    private func id(of event: Int) -> String {
        if event % 2 == 0 { return "c\(number)-\(event)" }
        let digits = String(event, radix: 16)
        return "0190b0c8-0000-7000-800\(number)-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}

/// A request body and its IDs.
struct KillRequest: Sendable {
    private(set) var ids: Set<String> = []
    private var events: [String] = []

    var body: String { "[\(events.joined(separator: ","))]" }

    mutating func add(id: String, event: KillEvent) {
        ids.insert(id)
        events.append(event.json(id: id))
    }
}

/// An event derived from its number.
struct KillEvent {
    private var random: SeededGenerator
    private let number: Int
    private let tellsTime: Bool
    private let isSale: Bool

    init(client: Int, number: Int, tellsTime: Bool, isSale: Bool) {
        self.tellsTime = tellsTime
        self.isSale = isSale
        random = SeededGenerator(UInt64(client) << 32 | UInt64(number))
        self.number = number
    }

    func json(id: String) -> String {
        var random = random
        let person = Int.random(in: 0..<50, using: &random)
        // Persons with an installation, a user, both or neither.
        var fields = [#""id": "\#(id)""#]
        if person % 4 != 0 { fields.append(#""installation_id": "i\#(person)", "session_id": "s\#(person)""#) }
        if person % 4 > 1 { fields.append(#""user_id": "u\#(person)""#) }
        if tellsTime && Int.random(in: 0..<3, using: &random) == 0 {
            let age = Int.random(in: 0..<80 * 86_400, using: &random)
            fields.append(#""timestamp": \#(KillEvent.start - age)"#)
        }
        switch isSale ? Int.random(in: 1...2, using: &random) : Int.random(in: 0..<6, using: &random) {
        case 0: fields.append(#""name": "screen_view", "params": {"screen_name": "Screen \#(number % 7)"}"#)
        // There are few transactions, so that two events often have the same one.
        case 1: fields.append(#""name": "purchase", "params": {"transaction_id": "t\#(number / 3)", "value": \#(number % 90).25, "currency": "EUR"}"#)
        case 2: fields.append(#""name": "refund", "params": {"transaction_id": "t\#(number / 3)", "value": "1.10", "currency": "USD"}"#)
        default: fields.append(#""name": "event_\#(number % 11)", "params": {"n": \#(number)}"#)
        }
        return "{\(fields.joined(separator: ", "))}"
    }

    /// The start of this run. It is fixed so that a repeated event is identical.
    private static let start = Int(WallClock.system.now().milliseconds / 1_000)
}
