// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import HTTPServer
import Ingest
import JSON
import Platform
import AcrossStores

/// The Measurement Protocol of Google Analytics for app streams.
enum GoogleAnalytics {
    static let routes = [
        Route(.post, "/mp/collect", .integration(key), .begun(collect), admission: IntegrationIntake.room, refusal: plainRefusal),
        Route(.post, "/debug/mp/collect", .integration(key), .task(validate), refusal: refusal),
    ]

    private static let key = IntegrationKey(roles: [.ingest], place: .apiSecret)

    @Sendable private static func collect(_ daemon: Daemon, _ call: Call) async throws -> HTTPResponse {
        let app = try call.app(in: daemon.store)
        let measurement = try decode(daemon, call)
        // Usually nothing is enforced, and decoding once is enough.
        let refused = measurement.enforces ? measurement.refused(try judged(measurement, app, daemon).events) : [:]
        let outcome = try await IntegrationIntake.keep(measurement.batch.refusing(refused), .server, of: call, app, daemon)
        return outcome.response
    }

    /// Returns the messages of Google's validation server and stores nothing.
    @Sendable private static func validate(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let measurement = try decode(daemon, call)
        let (events, users) = try judged(measurement, try call.app(in: daemon.store), daemon)
        return .response(answer(measurement.messages(events, users)))
    }

    private static func decode(_ daemon: Daemon, _ call: Call) throws(Refusal) -> Measurement {
        try daemon.measurements.decode(call.request.body, query: try call.query().all(except: "api_secret"))
    }

    private static func judged(_ measurement: Measurement, _ app: App, _ daemon: Daemon) throws -> (events: EventSubmission, users: UserSubmission) {
        let batch = measurement.batch
        let (received, hash) = (daemon.clock.now(), daemon.store.events.hash)
        let events = try daemon.events.decode(batch.events.tape(), sentAt: nil, app: app, source: .server, received: received, hash: hash)
        let rules = EventSubmission.Source.server.rules(app.settings)
        return (events, try daemon.users.decode(batch.users.body(sentAt: nil), app: app, rules: rules, received: received, hash: hash))
    }

    private static func answer(_ messages: [MeasurementMessage], status: Int = 200) -> HTTPResponse {
        .json(status: status) { json in
            json.beginObject()
            json.key("validationMessages")
            json.beginArray()
            for message in messages {
                json.beginObject()
                json.field("fieldPath", message.path)
                json.field("description", message.description)
                json.field("validationCode", message.code.rawValue)
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
    }

    /// Returns the response. Clients do not handle a 503, so temporary conditions are a 429.
    @Sendable private static func plainRefusal(_ refusal: Refusal) -> HTTPResponse {
        guard refusal.code.status == 503 else { return HTTPResponse(refusal) }
        return HTTPResponse(Refusal(.overloaded, refusal.detail, hint: refusal.hint, retryAfterSeconds: max(1, refusal.retryAfterSeconds ?? 1)))
    }

    /// Reports an error of the whole request as a validation message.
    @Sendable private static func refusal(_ refusal: Refusal) -> HTTPResponse {
        let finding: (path: String, code: MeasurementMessage.Code)? =
            switch refusal.code {
            case .unauthorized: ("api_secret", .valueRequired)
            case .forbidden: ("api_secret", .valueInvalid)
            case .tooLarge: ("events", .exceededMaxEntities)
            case .badRequest, .invalidJSON, .invalid: ("events", .valueInvalid)
            default: nil
            }
        guard let finding else { return plainRefusal(refusal) }
        let description = [refusal.detail, refusal.hint].compactMap(\.self).joined(separator: " ")
        let isOurs = refusal.code == .unauthorized || refusal.code == .forbidden
        return answer(
            [MeasurementMessage(path: finding.path, description: description, code: finding.code)], status: isOurs ? refusal.code.status : 200)
    }
}
