// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Events
import HTTPServer
import Ingest
import JSON
import Platform

/// The capture API of PostHog's SDKs.
struct PostHog: Sendable {
    let decoder: PostHogEvents
    let store: Stores
    let intake: IntegrationIntake
    let clock: WallClock

    static let integration = Integration(
        "PostHog", refusal: refusal,
        routes: ["/batch", "/capture", "/e", "/i/v0/e", "/track", "/engage"].flatMap { [route(.post, $0), route(.post, $0 + "/")] }
            + ["/capture", "/e", "/i/v0/e"].flatMap { [route(.get, $0), route(.get, $0 + "/")] }
            + [route(.post, "/i/v1/analytics/events", PostHog.captureWithResults)]
            + PostHogExtras.routes)

    static let key = IntegrationKey(roles: [.ingest], place: .postHog)

    /// SDKs close a batch with the event that makes it larger than 5 MiB; one event may have 900 KiB.
    static let largest = 8 << 20

    private static func route(
        _ method: HTTPMethod, _ path: String,
        _ handle: @escaping @Sendable (PostHog) -> (Call) async throws -> HTTPResponse = PostHog.capture
    ) -> Route {
        Route(
            method, path, .integration(key), .begun(\.integrations.postHog, handle), largest: largest, unwrap: PostHogBody.plain,
            admission: IntegrationIntake.admission)
    }

    private func capture(_ call: Call) async throws -> HTTPResponse {
        _ = try await keep(call, withIDs: false)
        return .json { json in
            json.beginObject()
            json.field("status", 1)
            json.endObject()
        }
    }

    /// Stores the events and returns the result of each by its ID. The SDK does not resend dropped events.
    private func captureWithResults(_ call: Call) async throws -> HTTPResponse {
        let (captured, outcome) = try await keep(call, withIDs: true)
        return .json { json in
            json.beginObject()
            json.key("results")
            json.beginObject()
            var counted: Set<String> = []
            for (number, id) in captured.ids.enumerated() where !id.isEmpty && counted.insert(id).inserted {
                json.key(id)
                json.beginObject()
                let verdict = outcome.verdicts[number]
                json.field("result", verdict?.word ?? "ok")
                if let verdict, verdict.result != .duplicate { json.field("details", verdict.reason.rawValue) }
                json.endObject()
            }
            json.endObject()
            json.endObject()
        }
    }

    private func keep(_ call: Call, withIDs: Bool) async throws -> (PostHogEvents.Captured, IntegrationOutcome) {
        let app = try call.app(in: store)
        let sent = PostHogBody.sent(call.head)
        let captured = try decoder.decode(call.request.body, sent: sent, received: clock.now(), withIDs: withIDs)
        return (captured, try await intake.keep(captured.batch, .open, of: call, app))
    }

    /// Returns the response. The SDKs show `detail`; they act on the status and `Retry-After`.
    @Sendable private static func refusal(_ refusal: Refusal) -> HTTPResponse {
        let text = refusal.sentences
        var response = HTTPResponse.json(status: refusal.code.status) { json in
            json.beginObject()
            json.field("type", refusal.code == .unauthorized ? "authentication_error" : "validation_error")
            json.field("code", refusal.code.rawValue)
            json.field("detail", text)
            json.field("error", refusal.code.rawValue)
            json.field("error_description", text)
            json.endObject()
        }
        response.addRetryAfter(refusal)
        return response
    }
}

extension Verdict {
    fileprivate var word: String {
        switch result {
        case .duplicate: "ok"
        case .corrected: "warning"
        case .quarantined: "drop"
        }
    }
}
