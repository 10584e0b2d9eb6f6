// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct OwnAppTests {
    @Test func `an ingest key sees what a client needs, other keys all settings`() async throws {
        try await withDaemon { live async throws in
            let keys = try await live.api.makeApp()
            let body = #"{"private_params": "salary", "tz": "Asia/Tokyo"}"#
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(body.utf8)).status == 200)
            let client = try await live.api.get("/v1/app", key: keys.ingest)
            #expect(!client.text.contains("salary"))
            let shown = try JSON(client)
            #expect(shown["settings"].names == ["auth_methods", "client_webhooks", "local_variables", "session_timeout_seconds", "tz"])
            #expect(shown["settings"]["tz"].text == "Asia/Tokyo" && shown["role"].text == "ingest" && shown["name"].text == "shop")
            for key in [keys.read, keys.send, keys.admin] {
                let own = try JSON(try await live.api.get("/v1/app", key: key))
                #expect(own["settings"].names.count == AppSettings.fields.count && own["settings"]["private_params"][0].text == "salary")
            }
        }
    }
}
