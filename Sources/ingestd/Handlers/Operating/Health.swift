// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import JSON
import Platform

/// What probes and scrapers ask.
enum Health {
    @Sendable static func alive(_ daemon: Daemon, _ call: Call, _ reply: @escaping Route.Answering) {
        reply(
            .json { json in
                json.beginObject()
                json.field("status", "alive")
                json.endObject()
            })
    }

    /// Whether events would be taken in now, and if not, why.
    @Sendable static func ready(_ daemon: Daemon, _ call: Call, _ reply: @escaping Route.Answering) {
        let reasons = daemon.troubles()
        reply(
            .json(status: reasons.isEmpty ? 200 : 503) { json in
                json.beginObject()
                json.field("status", reasons.isEmpty ? "ready" : "not ready")
                json.key("reasons")
                json.beginArray()
                for reason in reasons { json.string(reason) }
                json.endArray()
                json.endObject()
            })
    }

    @Sendable static func metrics(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        .response(HTTPResponse(status: 200, headers: [("Content-Type", Metrics.contentType)], body: daemon.metrics.exposition()))
    }

    @Sendable static func openAPI(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        .response(.json(OpenAPI.document))
    }
}
