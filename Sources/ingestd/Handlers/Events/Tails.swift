// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import AcrossStores
import AppDirectory
import EventStore
import Events
import HTTPServer
import JSON
import Platform

/// Streams events, crashes and quarantined records as they arrive, as server-sent events.
struct Tails: Sendable {
    let store: Stores
    let configuration: LiveConfiguration

    static let routes = [Route(.get, "/v1/tail", .role(.read), .task(\.tails, Tails.live))]

    func live(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "kind", "event", "user", "installation", "filter", "after")
        let app = try call.app(in: store)
        let filter = try TailFilter(query)
        let start = try call.lastEventID() ?? query.placeInStream("after")
        let listener = try store.events.tail.join(app: app.id, key: call.caller.keyID)
        let caller = call.caller
        let headers = [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")]
        return .stream(status: 200, headers: headers) { writer in
            let keepAlive = configuration.now.tail.keepAlive
            async let _: Void = listener.beat(every: keepAlive)
            var reader = TailReader(store.events, listener, after: start, filter)
            var written = ContinuousClock.now
            while let update = try await reader.next() {
                // Ends when the key is revoked.
                guard store.knows(caller) else { return }
                let now = ContinuousClock.now
                if case .silence = update, now - written < keepAlive / 2 { continue }
                try await writer.write(Tails.text(of: update))
                written = now
            }
        }
    }

    private static func text(of update: TailReader.Update) -> [UInt8] {
        switch update {
        case .records(let records): records.flatMap(message)
        case .crashes(let crashes, let missed):
            (missed > 0 ? message(.gap, Array("{\"missed_crashes\":\(missed)}".utf8)) : []) + crashes.flatMap(message)
        case .gap(let missed, let after): message(.gap, Array("{\"missed\":\(missed),\"after\":\(after)}".utf8))
        case .silence: Array(":\n\n".utf8)
        }
    }

    private static func message(_ record: TailRecord) -> [UInt8] {
        let (name, json) =
            switch record {
            case .event(let event): (TailEventName.event, event.json)
            case .quarantined(let event): (.quarantine, event.note)
            }
        return Array("id: \(record.seq)\nevent: \(name.rawValue)\ndata: ".utf8) + json + Array("\n\n".utf8)
    }

    /// Crashes carry no ID: a client resumes after the `seq` of the last event.
    private static func message(_ crash: TailCrash) -> [UInt8] {
        message(.crash, crash.note)
    }

    private static func message(_ name: TailEventName, _ data: [UInt8]) -> [UInt8] {
        Array("event: \(name.rawValue)\ndata: ".utf8) + data + Array("\n\n".utf8)
    }
}

extension TailCrash {
    fileprivate var note: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("id", id)
        json.field("issue", issue)
        json.field("kind", kind.name)
        json.field("title", title)
        if let culprit { json.field("culprit", culprit) }
        json.field("timestamp", time.rfc3339)
        if let release { json.field("release", release) }
        if let user { json.field("user_id", user) }
        if let installation { json.field("installation_id", installation) }
        json.endObject()
        return json.bytes
    }
}

extension Call {
    /// The `seq` after which a reconnecting client resumes.
    func lastEventID() throws(Refusal) -> Int64? {
        guard let text = head.header("Last-Event-ID"), !text.isEmpty else { return nil }
        guard let number = Int64(text), number >= 0 else { throw .field("Last-Event-ID", "bad_cursor", "must be an ID of this stream") }
        return number
    }
}

extension QueryString {
    /// The ID of an earlier item of the stream, after which to resume.
    func placeInStream(_ name: String) throws(Refusal) -> Int64? {
        guard let text = try one(name) else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw .field(name, "bad_cursor", "must be the ID of an earlier item of this stream", hint: "Omit it to start at the end.")
        }
        return number
    }
}

extension Caller {
    fileprivate var keyID: Int64? {
        if case .key(let key, _) = self { key.id } else { nil }
    }
}

extension Stores {
    /// Whether the caller's key and app still exist, the key has not expired, and a user's session has not ended.
    func knows(_ caller: Caller) -> Bool {
        switch caller {
        case .key(let key, let app): isValid(key, of: app)
        case .user(let user): isValid(user.key, of: user.app) && accounts.live.isLive(user.session, generation: 0, at: events.clock.now())
        case .anyone, .operator: true
        }
    }

    private func isValid(_ key: APIKey, of app: App) -> Bool {
        let now = events.directory.now
        return now.apps[app.id] != nil && now.isValid(key: key.id, at: events.clock.now())
    }
}

extension TailFilter {
    fileprivate init(_ query: QueryString) throws(Refusal) {
        self.init()
        kind = try query.choice("kind", of: Kind.self)
        names = try query.all("event", atMost: 20)
        user = try query.one("user")
        installation = try query.one("installation")
        conditions = try Filter.all(query.all("filter", atMost: Filter.limit), parameter: "filter")
        if conditions.contains(where: { $0.isOfPersons }) {
            throw .field("filter", "bad_field", "cannot name user.… or a cohort: a tail has only the fields of events")
        }
        // A quarantined record has no decoded fields, and a crash only those of its user.
        let (asksOfEvents, asksWhose) = (!names.isEmpty || !conditions.isEmpty, user != nil || installation != nil)
        if kind == .quarantine, asksOfEvents || asksWhose {
            throw .field("kind", "conflict", "must be events together with event, user, installation or filter")
        }
        if kind == .crashes, asksOfEvents { throw .field("kind", "conflict", "must be events together with event or filter") }
        if kind == nil, asksOfEvents || asksWhose { kind = .events }
    }
}

extension StoredQuarantine {
    /// The record and its reason, without its raw bytes.
    fileprivate var note: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("seq", seq)
        json.field("received_at", received.rfc3339)
        if let id { json.field("id", id) }
        json.field("reason", reason)
        json.field("field", field)
        json.field("message", message)
        json.endObject()
        return json.bytes
    }
}
