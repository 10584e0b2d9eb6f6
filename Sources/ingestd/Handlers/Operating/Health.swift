// SPDX-License-Identifier: Apache-2.0

import API
import HTTPServer
import JSON
import Platform

/// Health checks, metrics and the description of the API.
struct Health: Sendable {
    let readiness: Readiness
    let metrics: Metrics

    static let routes = [
        Route(.get, "/healthz", .open, .direct(\.health, Health.alive)),
        Route(.get, "/readyz", .open, .direct(\.health, Health.ready)),
        Route(.get, "/metrics", .metrics, .task(\.health, Health.exposition)),
        Route(.get, "/v1/openapi.json", .open, .task(\.health, Health.openAPI)),
    ]

    func alive(_ call: Call, _ reply: @escaping Route.Reply) {
        reply(.encoding(HealthResponse(status: .alive)))
    }

    /// Answers whether the daemon accepts data now, and if not, why.
    func ready(_ call: Call, _ reply: @escaping Route.Reply) {
        let reasons = readiness.reasons
        reply(.encoding(HealthResponse(status: reasons.isEmpty ? .ready : .notReady, reasons: reasons), status: reasons.isEmpty ? 200 : 503))
    }

    func exposition(_ call: Call) async throws -> HandlerResponse {
        .response(HTTPResponse(status: 200, headers: [("Content-Type", Metrics.contentType)], body: metrics.exposition()))
    }

    func openAPI(_ call: Call) async throws -> HandlerResponse {
        var response = HTTPResponse.json(OpenAPI.document)
        response.isShared = true
        return .response(response)
    }
}

extension HTTPResponse {
    /// A value that cannot fail to encode.
    fileprivate static func encoding(_ value: HealthResponse, status: Int = 200) -> HTTPResponse {
        .json(status: status) { try? $0.encode(value) }
    }
}
