// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import Delivery
import HTTPServer
import JSON
import MessageStore
import Messaging
import Platform

/// Messages for devices without a webhook: a stream of server-sent events, or one poll for everything that is pending.
struct Streams: Sendable {
    let store: Stores
    let bodies: StreamBodies
    let limits: DeviceLimits
    let configuration: LiveConfiguration

    static let routes = [
        Route(.get, "/v1/stream", .roles([.ingest, .send]), .task(\.messaging.streams, Streams.read)),
        Route(.post, "/v1/stream/ack", .roles([.ingest, .send]), .task(\.messaging.streams, Streams.acknowledge)),
    ]

    /// A poll ends with the page that exceeds this; the client polls again.
    private static let mostPolledBytes = 4 << 20
    private static let comment = Array(":\n\n".utf8)
    private static let headers = [("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")]

    func read(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "token", "poll", "since")
        let since = try call.lastEventID() ?? query.placeInStream("since")
        let reader = try await StreamReader(self, call, token: try query.one("token"), since: since)
        if try query.one("poll") == "1" { return .response(try await Streams.poll(reader)) }
        return try live(reader, call.caller)
    }

    func acknowledge(_ call: Call) async throws -> HandlerResponse {
        try call.query().allow("app")
        let body = try Body(call.json())
        try body.allow("token", "cursor")
        let text = try body.text("cursor")
        guard let cursor = Int64(text), cursor >= 0 else { throw Refusal.field("cursor", "bad_cursor", "must be an ID of this stream") }
        let reader = try await StreamReader(self, call, token: try body.text("token"), since: cursor)
        try await store.messages.acknowledge(stream: reader.registration, through: cursor)
        return .noContent
    }

    private static func poll(_ reader: StreamReader) async throws -> HTTPResponse {
        var reader = reader
        var lines: [UInt8] = []
        while reader.isBehind, lines.count < mostPolledBytes { lines += try self.lines(try await reader.catchUp()) }
        try await reader.wrote()
        return HTTPResponse(status: 200, headers: headers + [("Content-Type", "application/x-ndjson")], body: lines)
    }

    private func live(_ reader: StreamReader, _ caller: Caller) throws -> HandlerResponse {
        let streams = store.messages.streams
        let listener = try streams.join(reader.registration)
        let keepAlive = configuration.now.stream.keepAlive
        return .stream(status: 200, headers: Streams.headers + [("Content-Type", "text/event-stream")]) { writer in
            async let _: Void = listener.beat(every: keepAlive)
            var reader = reader
            // Shows the client that the stream is open before the first message.
            try await writer.write(Streams.comment + (try Streams.text(try await reader.catchUp())))
            try await reader.wrote()
            try await Streams.catchUp(&reader, writer) { store.knows(caller) }
            for await _ in listener.wakeUps {
                let items = try Streams.text(try await reader.next(listener.take()))
                // Ends when the key is revoked.
                guard store.knows(caller) else { return }
                try await writer.write(items.isEmpty ? Streams.comment : items)
                try await reader.wrote()
                try await Streams.catchUp(&reader, writer) { store.knows(caller) }
            }
        }
    }

    /// Writes all pending messages, a page at a time, while the key exists.
    private static func catchUp(_ reader: inout StreamReader, _ writer: HTTPResponseWriter, while isKnown: () -> Bool) async throws {
        while reader.isBehind, isKnown() {
            try await writer.write(try text(try await reader.catchUp()))
            try await reader.wrote()
        }
    }

    /// One line of JSON an item, beginning with its cursor.
    private static func lines(_ items: [StreamReader.Item]) throws -> [UInt8] {
        try items.flatMap { item in
            switch item {
            case .gap(let gap): try json(StreamGapResponse(missed: gap.missed, cursor: String(gap.through))) + [UInt8(ascii: "\n")]
            case .message(let cursor, let body): Array("{\"cursor\":\"\(cursor)\",".utf8) + body.dropFirst() + [UInt8(ascii: "\n")]
            }
        }
    }

    private static func text(_ items: [StreamReader.Item]) throws -> [UInt8] {
        try items.flatMap { item in
            switch item {
            case .gap(let gap):
                Array("id: \(gap.through)\nevent: gap\ndata: ".utf8) + (try json(StreamGapResponse(missed: gap.missed))) + Array("\n\n".utf8)
            case .message(let cursor, let body): Array("id: \(cursor)\nevent: message\ndata: ".utf8) + body + Array("\n\n".utf8)
            }
        }
    }

    private static func json(_ gap: StreamGapResponse) throws -> [UInt8] {
        var json = JSONWriter()
        try json.encode(gap)
        return json.bytes
    }
}

/// The position of one reader in a registration's stream.
private struct StreamReader {
    enum Item {
        case gap(StreamPage.Gap)
        case message(Int64, [UInt8])
    }

    let registration: Int64
    /// The last delivery that was read from the store or announced.
    private(set) var place: Int64
    private let token: String
    private let messages: MessageStore
    private let bodies: StreamBodies
    private let clock: WallClock
    /// The cursor that the client resumes after, until it is acknowledged.
    private var since: Int64?
    /// Whether the store may have more than was announced.
    private(set) var isBehind = true
    /// Written and not yet marked as sent.
    private var written: [Int64] = []

    init(_ streams: Streams, _ call: Call, token: String?, since: Int64?) async throws {
        guard let token else { throw Refusal.field("token", "missing", "must name a registration") }
        try streams.limits.charge(1, call)
        messages = streams.store.messages
        let found = try await messages.reader(app: try call.app(in: streams.store).id, token: token)
        guard found.endpoint == .stream else {
            throw Refusal(
                .conflict, "This registration delivers to a webhook.", hint: "Register it with an endpoint of type stream to read its messages here."
            )
        }
        (registration, self.token, self.since) = (found.id, token, since)
        place = since ?? 0
        (bodies, clock) = (streams.bodies, streams.limits.clock)
    }

    /// Returns a page of pending messages; the first page acknowledges `since`.
    mutating func catchUp() async throws -> [Item] {
        var items: [Item] = []
        let page = try await messages.page(ofStream: registration, after: place, acknowledging: since)
        (place, since, isBehind) = (page.after, nil, page.hasMore)
        if let gap = page.gap {
            items.append(.gap(gap))
            place = max(place, gap.through)
        }
        for item in page.items { try await append(item.delivery, item.message, item.expires, &items) }
        return items
    }

    mutating func next(_ mail: StreamListener.Mail) async throws -> [Item] {
        var items: [Item] = []
        switch mail {
        case .missed: isBehind = true
        case .deliveries(let deliveries):
            let now = clock.now()
            // Messages that arrived between joining and catching up were already read from the store.
            for one in deliveries where one.delivery > place && one.expires > now { try await append(one.delivery, one.message, one.expires, &items) }
        }
        return items
    }

    /// Marks the written deliveries as sent; only an acknowledgement marks them as read.
    mutating func wrote() async throws {
        guard !written.isEmpty else { return }
        try await messages.wroteToStream(written)
        written = []
    }

    private mutating func append(_ delivery: Int64, _ message: Int64, _ expires: Timestamp, _ items: inout [Item]) async throws {
        place = max(place, delivery)
        guard let body = try await bodies.body(of: message, expires: expires) else { return }
        items.append(.message(delivery, body.bytes(token: token)))
        written.append(delivery)
    }
}
