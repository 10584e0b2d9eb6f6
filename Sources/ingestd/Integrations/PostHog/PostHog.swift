// SPDX-License-Identifier: Apache-2.0

import Events
import HTTPServer
import Ingest
import JSON
import Platform

/// The capture API of PostHog's SDKs.
enum PostHog {
    static let routes =
        ["/batch", "/capture", "/e", "/i/v0/e", "/track", "/engage"].flatMap { [capture(.post, $0), capture(.post, $0 + "/")] }
        + ["/capture", "/e", "/i/v0/e"].flatMap { [capture(.get, $0), capture(.get, $0 + "/")] }
        + [
            Route(
                .post, "/i/v1/analytics/events", .integration(key), .begun(captureWithResults), largest: largest, unwrap: PostHogBody.plain,
                admission: IntegrationIntake.room,
                refusal: refusal
            )
        ] + PostHogExtras.routes

    static let key = IntegrationKey(roles: [.ingest], place: .postHog)

    /// SDKs close a batch with the event that makes it larger than 5 MiB; one event may have 900 KiB.
    private static let largest = 8 << 20

    private static func capture(_ method: HTTPMethod, _ path: String) -> Route {
        Route(
            method, path, .integration(key), .begun(capture), largest: largest, unwrap: PostHogBody.plain, admission: IntegrationIntake.room,
            refusal: refusal)
    }

    @Sendable private static func capture(_ daemon: Daemon, _ call: Call) async throws -> HTTPResponse {
        _ = try await keep(daemon, call, withIDs: false)
        return .json { json in
            json.beginObject()
            json.field("status", 1)
            json.endObject()
        }
    }

    /// Stores the events and returns the result of each by its ID. The SDK does not resend dropped events.
    @Sendable private static func captureWithResults(_ daemon: Daemon, _ call: Call) async throws -> HTTPResponse {
        let (captured, outcome) = try await keep(daemon, call, withIDs: true)
        return .json { json in
            json.beginObject()
            json.key("results")
            json.beginObject()
            var told: Set<String> = []
            for (number, id) in captured.ids.enumerated() where !id.isEmpty && told.insert(id).inserted {
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

    private static func keep(_ daemon: Daemon, _ call: Call, withIDs: Bool) async throws -> (PostHogEvents.Captured, IntegrationOutcome) {
        let app = try call.app(in: daemon.store)
        let sent = PostHogBody.sent(call.head)
        let captured = try daemon.postHogEvents.decode(call.request.body, sent: sent, received: daemon.clock.now(), withIDs: withIDs)
        return (captured, try await IntegrationIntake.keep(captured.batch, .open, of: call, app, daemon))
    }

    /// Returns the response. The SDKs show `detail`; they act on the status and `Retry-After`.
    @Sendable static func refusal(_ refusal: Refusal) -> HTTPResponse {
        let text = [refusal.detail, refusal.hint].compactMap(\.self).joined(separator: " ")
        var response = HTTPResponse.json(status: refusal.code.status) { json in
            json.beginObject()
            json.field("type", refusal.code == .unauthorized ? "authentication_error" : "validation_error")
            json.field("code", refusal.code.rawValue)
            json.field("detail", text)
            json.field("error", refusal.code.rawValue)
            json.field("error_description", text)
            json.endObject()
        }
        if let seconds = refusal.retryAfterSeconds { response.headers.append(("Retry-After", String(seconds))) }
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
