// SPDX-License-Identifier: Apache-2.0

import Crypto
import Events
import HTTPServer
import Ingest
import JSON
import MessageStore
import Messaging
import Platform
import AcrossStores

/// Messages: taken in, counted, called back.
enum Publishing {
    @Sendable static func publish(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.onlyApp(in: daemon.store)
        let key = try call.idempotencyKey()
        let publication = try daemon.messages.publication(call.json(), now: daemon.clock.now())
        if publication.draft.validateOnly {
            return answer(try await daemon.store.messages.validate(app: app.id, publication))
        }
        try daemon.requireDisk()
        return answer(try await daemon.store.messages.publish(app: app.id, publication, key))
    }

    @Sendable static func list(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let app = try call.app(in: daemon.store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        let found = try await daemon.store.messages.list(app: app.id, before: try query.cursor("after") ?? .max, limit: limit + 1)
        return .page(found, limit: limit, cursor: { String($0.row) }) { json, status in
            json.beginObject()
            json.write(status)
            json.endObject()
        }
    }

    /// With what devices have told of it since, in events of their own.
    @Sendable static func show(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.onlyApp(in: daemon.store)
        let status = try await daemon.store.messages.status(of: call.parameter("id"), app: app.id)
        async let receivers = daemon.people(with: .notificationReceive, of: status, in: app)
        async let openers = daemon.people(with: .notificationOpen, of: status, in: app)
        let (received, opened) = (try await receivers, try await openers)
        return .response(
            .json { json in
                json.beginObject()
                json.write(status)
                if let received { json.field("received", received) }
                if let opened { json.field("opened", opened) }
                json.endObject()
            })
    }

    @Sendable static func cancel(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        try await daemon.store.messages.cancel(call.parameter("id"), app: try call.onlyApp(in: daemon.store).id)
        return .response(HTTPResponse(status: 204))
    }

    @Sendable static func redrive(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let redriven = try await daemon.store.messages.redrive(call.parameter("id"), app: try call.onlyApp(in: daemon.store).id)
        return .response(
            .json { json in
                json.beginObject()
                json.field("redriven", redriven)
                json.endObject()
            })
    }

    private static func answer(_ published: Published) -> HTTPAnswer {
        .response(
            .json { json in
                json.beginObject()
                json.field("id", published.id)
                json.field("audience", published.audience)
                if !published.unregistered.isEmpty {
                    json.key("unregistered")
                    json.beginArray()
                    for place in published.unregistered { json.integer(place) }
                    json.endArray()
                }
                json.endObject()
            })
    }
}

extension Call {
    private static let longestKey = 255

    /// Nil where the client does not care; the body counts as it was sent, but for its compression.
    fileprivate func idempotencyKey() throws(Refusal) -> IdempotencyKey? {
        let name = "Idempotency-Key"
        let found = head.headers(name)
        guard let key = found.first else { return nil }
        guard found.count == 1, (1...Call.longestKey).contains(key.utf8.count), key.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            throw .field(
                name, "bad_key", "must be 1 to \(Call.longestKey) printable ASCII characters, once", hint: "A random UUID for each message will do.")
        }
        return IdempotencyKey(key: key, hash: SHA256.hash(request.body))
    }
}

extension Daemon {
    /// How many people have sent an event of a kind that names the message; nil where there are too many questions now to count them.
    fileprivate func people(with kind: EventKind, of status: MessageStatus, in app: App) async throws -> Int64? {
        // Clocks of devices are wrong by hours, not by days.
        let (from, to) = (status.created - .days(1), clock.now() + .days(1))
        let parameters = QueryParameters(
            [
                ("metric", QueryMetric.users.rawValue), ("event", kind.name), ("filter", "params.message_id=\(status.content.id)"),
                ("from", from.rfc3339), ("to", to.rfc3339),
            ], settings: app.settings, now: clock.now())
        do {
            guard case .series(let answer) = try await store.answer(try Query(.series, parameters), app: app.id),
                case .count(let people) = answer.body.series.first?.total
            else { return nil }
            return people
        } catch is Refusal {
            return nil
        }
    }
}
