// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Events
import HTTPServer
import Ingest
import JSON
import Platform

/// The API of Segment's SDKs and compatible ones such as RudderStack's.
struct Segment: Sendable {
    let decoder: SegmentCalls
    let store: Stores
    let intake: IntegrationIntake

    static let integration = Integration(
        "Segment", refusal: refusal,
        routes: ["/v1/batch", "/v1/b", "/v1/import", RudderStack.beacons].map { route($0, nil) }
            + calls.flatMap { call, letter in [route("/v1/\(call.rawValue)", call), route("/v1/\(letter)", call)] }
            + [Route(.get, "/v1/projects/{token}/settings", .integration(keyInPath), .fixed(settings))] + RudderStack.routes)

    /// Browsers use the letter alone.
    private static let calls: [(SegmentCalls.Call, letter: String)] = [
        (.track, "t"), (.identify, "i"), (.page, "p"), (.screen, "s"), (.group, "g"), (.alias, "a"),
    ]

    /// RudderStack closes a batch with the call that makes it larger than 4 MiB; one call may have as much itself.
    private static let largest = 9 << 20

    static let key = IntegrationKey(roles: [.ingest], place: .segment)
    private static let keyInPath = IntegrationKey(roles: [.ingest], place: .path)

    private static func route(_ path: String, _ call: SegmentCalls.Call?) -> Route {
        Route(
            .post, path, .integration(key), .begun { try await $0.integrations.segment.take($1, call) }, largest: largest,
            admission: IntegrationIntake.admission)
    }

    private func take(_ call: Call, _ kind: SegmentCalls.Call?) async throws -> HTTPResponse {
        let app = try call.app(in: store)
        let batch = try decoder.decode(call.request.body, kind)
        _ = try await intake.keep(batch, .open, of: call, app)
        return .json { json in
            json.beginObject()
            json.field("success", true)
            json.endObject()
        }
    }

    /// Returns the settings that app and browser SDKs request first. They then send to the host given here, regardless of their
    /// configuration.
    @Sendable private static func settings(_ call: Call) -> HTTPResponse {
        let key = call.parameter("token")
        return .json { json in
            json.beginObject()
            json.key("integrations")
            json.beginObject()
            json.key("Segment.io")
            json.beginObject()
            json.field("apiKey", key)
            if let host = call.head.header("Host") { json.field("apiHost", host + "/v1") }
            if isPlainHTTP(call.head) { json.field("protocol", "http") }
            json.endObject()
            json.endObject()
            for name in ["plan", "edgeFunction", "middlewareSettings", "metrics"] {
                json.key(name)
                json.beginObject()
                json.endObject()
            }
            json.endObject()
        }
    }

    /// Whether the client must send without TLS, which SDKs use by default: a proxy says so, or there is none and the client is on this machine
    /// or in a page without TLS.
    private static func isPlainHTTP(_ head: HTTPRequestHead) -> Bool {
        if let scheme = head.header("X-Forwarded-Proto") { return scheme.lowercased() == "http" }
        guard head.header("X-Forwarded-For") == nil else { return false }
        let isLocal = head.header("Host").flatMap { HostName(header: $0) }?.isLoopback == true
        return isLocal || head.header("Origin")?.hasPrefix("http://") == true
    }

    /// Returns the response. The SDKs show `code` and `message`; they act on the status and `Retry-After`.
    @Sendable private static func refusal(_ refusal: Refusal) -> HTTPResponse {
        var response = HTTPResponse.json(status: refusal.code.status) { json in
            json.beginObject()
            json.field("success", false)
            json.field("code", refusal.code.rawValue)
            json.field("message", refusal.sentences)
            json.endObject()
        }
        response.addRetryAfter(refusal)
        return response
    }
}
