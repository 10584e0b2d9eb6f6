// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import HTTPServer
import Ingest
import JSON
import Platform
import AcrossStores

/// The Measurement Protocol of Google Analytics for app streams.
struct GoogleAnalytics: Sendable {
    let decoder: GoogleMeasurements
    let store: Stores
    let intake: IntegrationIntake

    static let integration = Integration(
        "Google Analytics", refusal: plainRefusal,
        routes: [
            Route(
                .post, "/mp/collect", .integration(key), .begun(\.integrations.googleAnalytics, GoogleAnalytics.collect),
                admission: IntegrationIntake.admission),
            Route(
                .post, "/debug/mp/collect", .integration(key), .task(\.integrations.googleAnalytics, GoogleAnalytics.validate),
                refusal: refusalInMessages),
        ])

    private static let key = IntegrationKey(roles: [.ingest], place: .apiSecret)

    func collect(_ call: Call) async throws -> HTTPResponse {
        let app = try call.app(in: store)
        let measurement = try decode(call)
        // Usually nothing is enforced, and decoding once is enough.
        let rejected =
            measurement.enforces ? measurement.rejected(try intake.validate(measurement.batch, .server, call.caller.proof(in: app), app).events) : [:]
        let outcome = try await intake.keep(measurement.batch.rejecting(rejected), .server, of: call, app)
        return outcome.response
    }

    /// Returns the messages of Google's validation server and stores nothing.
    func validate(_ call: Call) async throws -> HandlerResponse {
        let (measurement, app) = (try decode(call), try call.app(in: store))
        let (events, users) = try intake.validate(measurement.batch, .server, call.caller.proof(in: app), app)
        return .response(GoogleAnalytics.response(measurement.messages(events, users)))
    }

    private func decode(_ call: Call) throws(Refusal) -> Measurement {
        try decoder.decode(call.request.body, query: try call.query().all(except: "api_secret"))
    }

    private static func response(_ messages: [MeasurementMessage], status: Int = 200) -> HTTPResponse {
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
    @Sendable private static func refusalInMessages(_ refusal: Refusal) -> HTTPResponse {
        let finding: (path: String, code: MeasurementMessage.Code)? =
            switch refusal.code {
            case .unauthorized: ("api_secret", .valueRequired)
            case .forbidden, .crossOrigin: ("api_secret", .valueInvalid)
            case .tooLarge: ("events", .exceededMaxEntities)
            case .badRequest, .invalidJSON, .invalid: ("events", .valueInvalid)
            default: nil
            }
        guard let finding else { return plainRefusal(refusal) }
        let description = refusal.sentences
        let isOurs = [.unauthorized, .forbidden, .crossOrigin].contains(refusal.code)
        return response(
            [MeasurementMessage(path: finding.path, description: description, code: finding.code)], status: isOurs ? refusal.code.status : 200)
    }
}
