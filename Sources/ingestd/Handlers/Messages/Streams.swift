// SPDX-License-Identifier: Apache-2.0

import Delivery
import HTTPServer
import JSON
import MessageStore
import Messaging
import Platform
import AcrossStores

/// What devices without a webhook read: a stream of server-sent events, or all that waits at once.
enum Streams {
    /// An answer ends with the page that makes it so long: whoever polls comes again.
    private static let mostPolledBytes = 4 << 20
    private static let comment = Array(":\n\n".utf8)
    private static let headers = [("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")]

    @Sendable static func read(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "token", "poll", "since")
        let since = try call.lastEventID() ?? query.placeInStream("since")
        let reader = try await StreamReader(daemon, call, token: try query.one("token"), since: since)
        if try query.one("poll") == "1" { return .response(try await poll(reader)) }
        return try live(daemon, reader, call.caller)
    }

    @Sendable static func acknowledge(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let body = try Body(call.json())
        try body.allow("token", "cursor")
        let text = try body.text("cursor")
        guard let cursor = Int64(text), cursor >= 0 else { throw Refusal.field("cursor", "bad_cursor", "must be an id of this stream") }
        let reader = try await StreamReader(daemon, call, token: try body.text("token"), since: cursor)
        try await daemon.store.messages.acknowledge(stream: reader.registration, through: cursor)
        return .response(HTTPResponse(status: 204))
    }

    private static func poll(_ reader: StreamReader) async throws -> HTTPResponse {
        var reader = reader
        var lines: [UInt8] = []
        while reader.isBehind, lines.count < mostPolledBytes { lines += self.lines(try await reader.catchUp()) }
        try await reader.wrote()
        return HTTPResponse(status: 200, headers: headers + [("Content-Type", "application/x-ndjson")], body: lines)
    }

    private static func live(_ daemon: Daemon, _ reader: StreamReader, _ caller: Caller) throws -> HTTPAnswer {
        let streams = daemon.store.messages.streams
        let listener = try streams.join(reader.registration)
        let keepAlive = daemon.settings.stream.keepAlive
        return .stream(status: 200, headers: headers + [("Content-Type", "text/event-stream")]) { writer in
            async let _: Void = listener.beat(every: keepAlive)
            var reader = reader
            // Whoever waits for the first message sees that the stream stands.
            try await writer.write(comment + text(try await reader.catchUp()))
            try await reader.wrote()
            try await catchUp(&reader, writer) { daemon.store.events.knows(caller) }
            for await _ in listener.wakeUps {
                let items = text(try await reader.next(listener.take()))
                // A key may be revoked while somebody reads with it: then nothing more is told.
                guard daemon.store.events.knows(caller) else { return }
                try await writer.write(items.isEmpty ? comment : items)
                try await reader.wrote()
                try await catchUp(&reader, writer) { daemon.store.events.knows(caller) }
            }
        }
    }

    /// Writes what else waits, a page at a time, for as long as the key is one.
    private static func catchUp(_ reader: inout StreamReader, _ writer: HTTPResponseWriter, while isKnown: () -> Bool) async throws {
        while reader.isBehind, isKnown() {
            try await writer.write(text(try await reader.catchUp()))
            try await reader.wrote()
        }
    }

    /// A line for each, with its cursor at the head.
    private static func lines(_ items: [StreamReader.Item]) -> [UInt8] {
        items.flatMap { item in
            switch item {
            case .gap(let gap): Array("{\"cursor\":\"\(gap.through)\",\"type\":\"gap\",\"missed\":\(gap.missed)}\n".utf8)
            case .message(let cursor, let body): Array("{\"cursor\":\"\(cursor)\",".utf8) + body.dropFirst() + [UInt8(ascii: "\n")]
            }
        }
    }

    private static func text(_ items: [StreamReader.Item]) -> [UInt8] {
        items.flatMap { item in
            switch item {
            case .gap(let gap): Array("id: \(gap.through)\nevent: gap\ndata: {\"missed\":\(gap.missed)}\n\n".utf8)
            case .message(let cursor, let body): Array("id: \(cursor)\nevent: message\ndata: ".utf8) + body + Array("\n\n".utf8)
            }
        }
    }
}

/// How far somebody has read a registration's stream.
private struct StreamReader {
    enum Item {
        case gap(StreamPage.Gap)
        case message(Int64, [UInt8])
    }

    let registration: Int64
    /// The last delivery that was read or told of.
    private(set) var place: Int64
    private let token: String
    private let messages: MessageStore
    private let bodies: StreamBodies
    private let clock: WallClock
    /// What it was asked to begin behind, until that is acknowledged.
    private var since: Int64?
    /// The file may have more than was told of.
    private(set) var isBehind = true
    /// Told of and not yet marked as sent.
    private var told: [Int64] = []

    init(_ daemon: Daemon, _ call: Call, token: String?, since: Int64?) async throws {
        guard let token else { throw Refusal.field("token", "missing", "must name a registration") }
        try call.charge(1, daemon)
        messages = daemon.store.messages
        let found = try await messages.reader(app: try call.app(in: daemon.store).id, token: token)
        guard found.endpoint == .stream else {
            throw Refusal(
                .conflict, "This registration's messages go to a webhook.", hint: "Register it with an endpoint of the type stream to read them here."
            )
        }
        (registration, self.token, self.since) = (found.id, token, since)
        place = since ?? 0
        (bodies, clock) = (daemon.streamBodies, daemon.clock)
    }

    /// A page of what waits; with the first, what it was asked to begin behind is read.
    mutating func catchUp() async throws -> [Item] {
        var items: [Item] = []
        let page = try await messages.page(ofStream: registration, after: place, acknowledging: since)
        (place, since, isBehind) = (page.after, nil, page.hasMore)
        if let gap = page.gap {
            items.append(.gap(gap))
            place = max(place, gap.through)
        }
        for item in page.items { try await tell(item.delivery, item.message, item.expires, &items) }
        return items
    }

    mutating func next(_ mail: StreamListener.Mail) async throws -> [Item] {
        var items: [Item] = []
        switch mail {
        case .missed: isBehind = true
        case .news(let news):
            let now = clock.now()
            // What came between joining and catching up was told of already.
            for one in news where one.delivery > place && one.expires > now { try await tell(one.delivery, one.message, one.expires, &items) }
        }
        return items
    }

    /// Marks what was written; only what is acknowledged is read.
    mutating func wrote() async throws {
        guard !told.isEmpty else { return }
        try await messages.wroteToStream(told)
        told = []
    }

    private mutating func tell(_ delivery: Int64, _ message: Int64, _ expires: Timestamp, _ items: inout [Item]) async throws {
        place = max(place, delivery)
        guard let body = try await bodies.body(of: message, expires: expires) else { return }
        items.append(.message(delivery, body.bytes(token: token)))
        told.append(delivery)
    }
}
