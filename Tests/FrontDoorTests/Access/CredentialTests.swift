import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct CredentialTests {
    @Test(arguments: [nil, "token_for_scrapers"])
    func `metrics are for this machine, and for others with the token`(token: String?) async throws {
        try await withDaemon(configure: { $0.metrics.token = token.map(Secret.init) }) { live in
            let keys = try await live.door.makeApp()
            #expect(try await live.door.get("/metrics").status == 200)
            // As it comes through a proxy on this machine.
            let fromElsewhere = ["X-Forwarded-For": "203.0.113.7"]
            for key in [nil, keys.admin, "token_for_scraperz"] {
                #expect(try await live.door.request("GET", "/metrics", key: key, headers: fromElsewhere).status == 401)
            }
            let scraped = try await live.door.request("GET", "/metrics", key: "token_for_scrapers", headers: fromElsewhere)
            #expect(scraped.status == (token == nil ? 401 : 200))
        }
    }

    @Test func `a key may be sent as the user name of Basic, too`() async throws {
        try await withDaemon { live in
            let keys = try await live.door.makeApp()
            let basic = (keys.read + ":").base64
            #expect(try await live.door.request("GET", "/v1/app", headers: ["Authorization": "Basic \(basic)"]).status == 200)
            #expect(try await live.door.request("GET", "/v1/app", headers: ["Authorization": "basic " + keys.read.base64]).status == 200)
            for broken in ["Basic", "Basic ???", "Bearer", "Digest \(keys.read)", "Bearer  \(keys.read)", "Basic \((":" + keys.read).base64)"] {
                #expect(try await live.door.request("GET", "/v1/app", headers: ["Authorization": broken]).status == 401, "\(broken)")
            }
        }
    }
}
