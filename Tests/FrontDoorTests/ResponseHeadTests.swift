// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct ResponseHeadTests {
    @Test func `an unsupported method gets 405 with the allowed ones`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let answer = try await live.api.request("DELETE", "/v1/app", key: keys.admin)
            #expect(answer.status == 405)
            #expect(answer.headers["allow"] == "GET, HEAD, PATCH, OPTIONS")
            #expect(try JSON(answer)["code"].text == "method_not_allowed")
            // A document may be named as a verb, so the path is that of several routes, and each method is listed once.
            let path = "/v1/projects/1/databases/(default)/documents/c/d:runQuery"
            #expect(try await live.api.request("PUT", path, body: []).headers["allow"] == "POST, GET, HEAD, PATCH, DELETE, OPTIONS")
            for method in ["PUT", "POST", "TRACE"] { #expect([405, 501].contains(try await live.api.request(method, "/healthz", body: []).status)) }
        }
    }

    @Test func `HEAD gets the headers of GET without a body`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            for target in ["/healthz", "/v1/app", "/v1/query/series", "/v1/openapi.json"] {
                let connection = try live.api.connect()
                let head = try await connection.exchange(TestClient.bytes("HEAD", target, key: keys.read), toHead: true)
                // A body would be read as the next response.
                let get = try await connection.exchange(TestClient.bytes("GET", target, key: keys.read))
                #expect(head.status == 200 && get.status == 200)
                #expect(head.headers["content-type"] == get.headers["content-type"])
                #expect(head.headers["content-length"] == get.headers["content-length"], "\(target)")
            }
        }
    }

    @Test func `every response has a request ID, and every error has one format`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let refusals = [
                try await live.api.get("/nothing/here"), try await live.api.get("/v1/app"), try await live.api.get("/v1/export", key: keys.ingest),
                try await live.api.request("PUT", "/v1/app"), try await live.api.post("/v1/events", key: keys.ingest, "{"),
                try await live.api.get("/v1/export?nonsense=1", key: keys.read), try await live.api.get("/v1/%zz"),
            ]
            #expect(refusals.map(\.status) == [404, 401, 403, 405, 400, 422, 404])
            for answer in refusals {
                let problem = try JSON(answer)
                #expect(answer.headers["content-type"] == "application/problem+json")
                #expect(answer.headers["x-request-id"]?.isEmpty == false)
                #expect(problem["status"].number == answer.status)
                #expect(!problem["code"].text.isEmpty && !problem["title"].text.isEmpty && !problem["detail"].text.isEmpty)
            }
            #expect(try await live.api.get("/healthz").headers["x-request-id"]?.isEmpty == false)
        }
    }
}
