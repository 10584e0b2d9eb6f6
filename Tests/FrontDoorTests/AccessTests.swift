import HTTPServer
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Who may use which route. A route without a row here fails the test that walks the routes.
private let rows: [String: Allowed] = [
    "GET /healthz": .everybody,
    "GET /readyz": .everybody,
    "GET /metrics": .everybody,
    "GET /v1/openapi.json": .everybody,
    "POST /v1/events": .keys([.ingest, .admin]),
    "POST /v1/debug/events": .keys([.ingest, .admin]),
    "POST /v1/users": .keys([.ingest, .admin]),
    "GET /v1/quarantine": .keys([.read, .admin]),
    "POST /v1/quarantine/replay": .keys([.admin]),
    "GET /v1/query/series": .keys([.read, .admin]),
    "POST /v1/query/series": .keys([.read, .admin]),
    "GET /v1/query/top": .keys([.read, .admin]),
    "POST /v1/query/top": .keys([.read, .admin]),
    "GET /v1/query/active-users": .keys([.read, .admin]),
    "POST /v1/query/active-users": .keys([.read, .admin]),
    "GET /v1/query/retention": .keys([.read, .admin]),
    "POST /v1/query/retention": .keys([.read, .admin]),
    "GET /v1/query/funnel": .keys([.read, .admin]),
    "POST /v1/query/funnel": .keys([.read, .admin]),
    "GET /v1/query/revenue": .keys([.read, .admin]),
    "POST /v1/query/revenue": .keys([.read, .admin]),
    "GET /v1/query/sessions": .keys([.read, .admin]),
    "POST /v1/query/sessions": .keys([.read, .admin]),
    "GET /v1/query/lifecycle": .keys([.read, .admin]),
    "POST /v1/query/lifecycle": .keys([.read, .admin]),
    "GET /v1/query/realtime": .keys([.read, .admin]),
    "POST /v1/query/realtime": .keys([.read, .admin]),
    "GET /v1/query/crash-free": .keys([.read, .admin]),
    "POST /v1/query/crash-free": .keys([.read, .admin]),
    "POST /v1/query/sql": .keys([.admin]),
    "POST /v1/crashes": .keys([.ingest, .admin]),
    "POST /v1/crashes/report": .keys([.ingest, .admin]),
    "GET /v1/issues": .keys([.read, .admin]),
    "GET /v1/issues/{id}": .keys([.read, .admin]),
    "PATCH /v1/issues/{id}": .keys([.admin]),
    "GET /v1/issues/{id}/events": .keys([.read, .admin]),
    "GET /v1/issues/{id}/events/{event}": .keys([.read, .admin]),
    "POST /v1/issues/{id}/merge": .keys([.admin]),
    "POST /v1/issues/{id}/split": .keys([.admin]),
    "POST /v1/issues/{id}/notes": .keys([.admin]),
    "GET /v1/symbols": .keys([.read, .admin]),
    "GET /v1/symbols/missing": .keys([.read, .admin]),
    "PUT /v1/symbols/{debug_id}": .keys([.admin]),
    "DELETE /v1/symbols/{debug_id}": .keys([.admin]),
    "GET /v1/users/{id}": .keys([.read, .admin]),
    "DELETE /v1/users/{id}": .keys([.admin]),
    "GET /v1/users/{id}/export": .keys([.admin]),
    "POST /v1/users/{id}/anonymise": .keys([.admin]),
    "DELETE /v1/users/{id}/block": .keys([.admin]),
    "GET /v1/export": .keys([.read, .admin]),
    "GET /v1/tail": .keys([.read, .admin]),
    "GET /v1/system": .keys([.read, .admin]),
    "GET /v1/app": .keys([.ingest, .read, .send, .admin]),
    "PATCH /v1/app": .keys([.admin]),
    "POST /v1/devices": .keys([.ingest, .send, .admin]),
    "GET /v1/devices": .keys([.read, .send, .admin]),
    "GET /v1/devices/{token}": .keys([.ingest, .read, .send, .admin]),
    "PUT /v1/devices/{token}": .keys([.ingest, .send, .admin]),
    "DELETE /v1/devices/{token}": .keys([.ingest, .send, .admin]),
    "POST /v1/devices/{token}/rotate-secret": .keys([.ingest, .send, .admin]),
    "POST /v1/devices/{token}/topics": .keys([.ingest, .send, .admin]),
    "POST /v1/app/webhook-secret": .keys([.send, .admin]),
    "GET /v1/stream": .keys([.ingest, .send, .admin]),
    "POST /v1/stream/ack": .keys([.ingest, .send, .admin]),
    "GET /v1/topics": .keys([.read, .send, .admin]),
    "GET /v1/topics/{topic}": .keys([.read, .send, .admin]),
    "GET /v1/topics/{topic}/subscribers": .keys([.read, .send, .admin]),
    "PUT /v1/topics/{topic}/subscribers/{token}": .keys([.ingest, .send, .admin]),
    "DELETE /v1/topics/{topic}/subscribers/{token}": .keys([.ingest, .send, .admin]),
    "POST /v1/topics/{topic}/subscribe": .keys([.send, .admin]),
    "POST /v1/topics/{topic}/unsubscribe": .keys([.send, .admin]),
    "POST /v1/messages": .keys([.send, .admin]),
    "GET /v1/messages": .keys([.read, .send, .admin]),
    "GET /v1/messages/{id}": .keys([.read, .send, .admin]),
    "DELETE /v1/messages/{id}": .keys([.send, .admin]),
    "POST /v1/messages/{id}/redrive": .keys([.send, .admin]),
    "GET /v1/deliveries": .keys([.read, .send, .admin]),
    "GET /v1/deliveries/{id}": .keys([.read, .send, .admin]),
    "POST /v1/deliveries/{id}/retry": .keys([.send, .admin]),
    "POST /mp/collect": .keys([.ingest, .admin]),
    "POST /debug/mp/collect": .keys([.ingest, .admin]),
    "POST /v1/batch": .keys([.ingest, .admin]),
    "POST /v1/b": .keys([.ingest, .admin]),
    "POST /v1/import": .keys([.ingest, .admin]),
    "POST /v1/track": .keys([.ingest, .admin]),
    "GET /v1/projects/{token}/settings": .keys([.ingest, .admin]),
    "POST /v1/t": .keys([.ingest, .admin]),
    "POST /v1/identify": .keys([.ingest, .admin]),
    "POST /v1/i": .keys([.ingest, .admin]),
    "POST /v1/page": .keys([.ingest, .admin]),
    "POST /v1/p": .keys([.ingest, .admin]),
    "POST /v1/screen": .keys([.ingest, .admin]),
    "POST /v1/s": .keys([.ingest, .admin]),
    "POST /v1/group": .keys([.ingest, .admin]),
    "POST /v1/g": .keys([.ingest, .admin]),
    "POST /v1/alias": .keys([.ingest, .admin]),
    "POST /v1/a": .keys([.ingest, .admin]),
    "POST /batch": .keys([.ingest, .admin]),
    "POST /batch/": .keys([.ingest, .admin]),
    "GET /capture": .keys([.ingest, .admin]),
    "GET /capture/": .keys([.ingest, .admin]),
    "GET /e": .keys([.ingest, .admin]),
    "GET /e/": .keys([.ingest, .admin]),
    "GET /i/v0/e": .keys([.ingest, .admin]),
    "GET /i/v0/e/": .keys([.ingest, .admin]),
    "POST /capture": .keys([.ingest, .admin]),
    "POST /capture/": .keys([.ingest, .admin]),
    "POST /e": .keys([.ingest, .admin]),
    "POST /e/": .keys([.ingest, .admin]),
    "POST /i/v0/e": .keys([.ingest, .admin]),
    "POST /i/v0/e/": .keys([.ingest, .admin]),
    "POST /track": .keys([.ingest, .admin]),
    "POST /track/": .keys([.ingest, .admin]),
    "POST /engage": .keys([.ingest, .admin]),
    "POST /engage/": .keys([.ingest, .admin]),
    "POST /i/v1/analytics/events": .keys([.ingest, .admin]),
    "POST /flags": .keys([.ingest, .admin]),
    "POST /flags/": .keys([.ingest, .admin]),
    "POST /decide": .keys([.ingest, .admin]),
    "POST /decide/": .keys([.ingest, .admin]),
    "GET /array/{token}/config": .keys([.ingest, .admin]),
    "GET /array/{token}/config.js": .keys([.ingest, .admin]),
    "GET /api/surveys": .keys([.ingest, .admin]),
    "GET /api/surveys/": .keys([.ingest, .admin]),
    "POST /v1/projects/{app}/messages:send": .keys([.send, .admin]),
    "POST /v1/projects/{app}/registrations/{token}/topicSubscriptions": .keys([.send, .admin]),
    "GET /v1/projects/{app}/registrations/{token}/topicSubscriptions": .keys([.send, .admin]),
    "GET /v1/projects/{app}/registrations/{token}/topicSubscriptions/{topic}": .keys([.send, .admin]),
    "PATCH /v1/projects/{app}/registrations/{token}/topicSubscriptions/{topic}": .keys([.send, .admin]),
    "DELETE /v1/projects/{app}/registrations/{token}/topicSubscriptions/{topic}": .keys([.send, .admin]),
    "POST /v1/projects/{app}/registrations/{token}/topicSubscriptions/{topic}": .keys([.ingest, .send, .admin]),
    "POST /iid/v1:batchAdd": .keys([.send, .admin]),
    "POST /iid/v1:batchRemove": .keys([.send, .admin]),
    "POST /iid/v1/{token}/rel/topics/{topic}": .keys([.send, .admin]),
    "GET /iid/info/{token}": .keys([.send, .admin]),
    "POST /token": .signature,
    "GET /v1/apps": .operatorOnly,
    "POST /v1/apps": .operatorOnly,
    "GET /v1/apps/{app}": .operatorOnly,
    "PATCH /v1/apps/{app}": .operatorOnly,
    "DELETE /v1/apps/{app}": .operatorOnly,
    "GET /v1/apps/{app}/keys": .operatorOnly,
    "POST /v1/apps/{app}/keys": .operatorOnly,
    "DELETE /v1/apps/{app}/keys/{key}": .operatorOnly,
    "POST /v1/backup": .operatorOnly,
    "POST /api/{app}/envelope/": .keys([.ingest, .admin]),
    "POST /api/{app}/envelope": .keys([.ingest, .admin]),
    "POST /api/{app}/store/": .keys([.ingest, .admin]),
    "POST /api/{app}/store": .keys([.ingest, .admin]),
    "GET /api/0/organizations/{org}/chunk-upload/": .keys([.admin]),
    "GET /api/0/organizations/{org}/chunk-upload": .keys([.admin]),
    "POST /api/0/organizations/{org}/chunk-upload/": .keys([.admin]),
    "POST /api/0/organizations/{org}/chunk-upload": .keys([.admin]),
    "POST /api/0/projects/{org}/{app}/files/difs/assemble/": .keys([.admin]),
    "POST /api/0/projects/{org}/{app}/files/difs/assemble": .keys([.admin]),
]

private enum Allowed {
    case everybody
    /// Whoever can sign for a service account; a key is of no use there.
    case signature
    case keys(Set<Role>)
    case operatorOnly
}

extension Route {
    fileprivate var row: String { "\(method.name) \(pattern)" }

    /// What it is asked with here: a stream without an end has no answer to wait for, but a head.
    fileprivate var probe: String { pattern == "/v1/tail" ? "HEAD" : method.name }

    fileprivate var findsKeyInBody: Bool { access == .door(DoorKey(roles: [.ingest], place: .body)) }
    /// What who has no key is told: clients of other products know their own words alone.
    fileprivate var withoutKey: Int {
        if case .door(let key) = access, key.place == .sentry { 403 } else { 401 }
    }

    fileprivate func target(app: Int64) -> String {
        let plain = [
            "{app}": "\(app)", "{key}": "999999", "{id}": "somebody", "{token}": "some-token", "{topic}": "news", "{event}": "latest",
            "{debug_id}": SymbolFixture.elf.debugID,
        ]
        return plain.reduce(pattern) { $0.replacing($1.key, with: $1.value) }
    }

    /// Makes sure that there is whom or what the route is about, and answers with its path.
    fileprivate func introduce(_ door: Door, _ keys: AppKeys) async throws -> String {
        var path = pattern
        if pattern.hasPrefix("/v1/users/{id}") {
            #expect(try await door.post("/v1/events", key: keys.ingest, #"[{"name": "a", "user_id": "somebody"}]"#).status == 200)
            if pattern.hasSuffix("/block") {
                #expect(try await door.request("DELETE", "/v1/users/somebody?block=true", key: keys.admin).status == 200)
            }
        }
        if pattern.contains("{token}") || pattern.contains("{topic}") {
            let token = try await MessagingWorld.stream(door, keys)
            #expect(try await door.request("PUT", "/v1/topics/news/subscribers/\(token)", key: keys.send).status == 204)
            path = path.replacing("{token}", with: token)
        }
        if pattern.hasPrefix("/v1/messages/{id}") || pattern.hasPrefix("/v1/deliveries/{id}") {
            let message = try await MessagingWorld.message(door, keys)
            let id = pattern.contains("messages") ? message : try await MessagingWorld.deliveries(door, keys, of: message)[0]["id"].text
            path = path.replacing("{id}", with: id)
        }
        if pattern.hasPrefix("/v1/issues/{id}") {
            let taken = try await door.post("/v1/crashes", key: keys.ingest, "[\(SentCrash().json)]")
            path = path.replacing("{id}", with: try JSON(taken)["results"][0]["issue"].text)
        }
        if pattern.hasPrefix("/v1/symbols/{debug_id}") {
            let build = SymbolFixture.elf
            #expect([200, 201].contains(try await door.request("PUT", "/v1/symbols/\(build.debugID)", key: keys.admin, body: build.bytes).status))
        }
        return Route(method, path, access, handler).target(app: keys.app)
    }
}

@Suite struct AccessTests {
    @Test func `every route has a row, and no row is without its route`() {
        #expect(Set(Routes.all.map(\.row)) == Set(rows.keys))
        #expect(Routes.all.count == rows.count)
    }

    @Test func `every route lets in the roles it is for and nobody else`() async throws {
        try await withDaemon(configure: { $0.sql.enabled = true }) { live in
            let keys = try await live.door.makeApp()
            // Else ingest keys have no business with the secrets of webhooks.
            #expect(try await live.door.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"client_webhooks": true}"#.utf8)).status == 200)
            let callers: [(Role, String)] = [(.ingest, keys.ingest), (.read, keys.read), (.send, keys.send), (.admin, keys.admin)]
            for route in Routes.all {
                let allowed = try #require(rows[route.row])
                for (role, key) in callers {
                    let target = try await route.introduce(live.door, keys)
                    let status = try await live.door.request(route.probe, target, key: key, body: []).status
                    switch allowed {
                    case .everybody: #expect(status == 200, "\(route.row) as \(role)")
                    case .signature: #expect(status == 400, "\(route.row) as \(role)")
                    case .keys(let roles) where roles.contains(role): #expect(![401, 403, 404, 405, 500].contains(status), "\(route.row) as \(role)")
                    case .keys: #expect(status == 403, "\(route.row) as \(role)")
                    case .operatorOnly: #expect(status == 404, "\(route.row) as \(role)")
                    }
                }
            }
        }
    }

    @Test func `without a key, with a made-up one or a revoked one there is only what is open`() async throws {
        try await withDaemon { live in
            let keys = try await live.door.makeApp()
            let revoked = try await Self.revokedKey(live.door, app: keys.app)
            let strangers = [nil, "nonsense", String(repeating: "k", count: 65), "sb_admin_" + String(repeating: "a", count: 32), revoked]
            for route in Routes.all {
                for key in strangers {
                    let status = try await live.door.request(route.probe, route.target(app: keys.app), key: key, body: []).status
                    switch rows[route.row] {
                    case .everybody: #expect(status == 200, "\(route.row)")
                    case .signature: #expect(status == 400, "\(route.row)")
                    // Where the key may stand in the body, a body that is none is refused first.
                    case .keys: #expect(status == route.withoutKey || status == 400 && route.findsKeyInBody, "\(route.row)")
                    default: #expect(status == 404, "\(route.row)")
                    }
                }
            }
        }
    }

    @Test func `the operator may use every route`() async throws {
        try await withDaemon(configure: { $0.sql.enabled = true }) { live in
            for (number, route) in Routes.all.enumerated() {
                let keys = try await live.door.makeApp("app-\(number)")
                let target = try await route.introduce(live.door, keys) + (route.pattern.contains("{app}") ? "" : "?app=\(keys.app)")
                let status = try await live.door.asOperator(route.probe, target, "").status
                #expect(![401, 403, 405, 500].contains(status), "\(route.row)")
                // The only thing that is not there is the key with the made-up number.
                #expect((status == 404) == route.pattern.contains("{key}"), "\(route.row)")
            }
        }
    }

    private static func revokedKey(_ door: Door, app: Int64) async throws -> String {
        let made = try JSON(try await door.asOperator("POST", "/v1/apps/\(app)/keys", #"{"role": "admin", "label": "lost"}"#))
        let key = made["key"].text
        #expect(try await door.get("/v1/app", key: key).status == 200)
        #expect(try await door.asOperator("DELETE", "/v1/apps/\(app)/keys/\(made["id"].number)").status == 204)
        return key
    }

    @Test func `an app never sees what belongs to another`() async throws {
        try await withDaemon { live in
            let ours = try await live.door.makeApp("ours")
            let theirs = try await live.door.makeApp("theirs")
            let secret = #"{"events": [{"id": "x", "name": "secret_thing"}, {"name": "9bad secret_thing"}]}"#
            #expect(try Taken(await live.door.post("/v1/events", key: theirs.ingest, secret)) == Taken(accepted: 1, quarantined: 1))

            // The same id is another app's affair.
            let again = try await live.door.post("/v1/events", key: ours.ingest, #"{"events": [{"id": "x", "name": "plain"}]}"#)
            #expect(try Taken(again) == Taken(accepted: 1))
            for target in ["/v1/export", "/v1/quarantine", "/v1/query/series?event=secret_thing", "/v1/export?app=\(theirs.app)", "/v1/app"] {
                let answer = try await live.door.get(target, key: ours.admin)
                #expect(answer.status == 200)
                #expect(!answer.text.replacing(#""name":"secret_thing","points""#, with: "").contains("secret_thing"), "\(target)")
                #expect(!answer.text.contains("theirs"))
            }
            let series = try JSON(await live.door.get("/v1/query/series?event=secret_thing&app=\(theirs.app)", key: ours.read))
            #expect(series["series"][0]["total"].number == 0)
            _ = try await live.door.post("/v1/quarantine/replay", key: ours.admin, "")
            #expect(try JSON(await live.door.get("/v1/quarantine", key: theirs.read))["items"].items.count == 1)
        }
    }

    @Test func `a method the path does not take is answered with those it does`() async throws {
        try await withDaemon { live in
            let keys = try await live.door.makeApp()
            let answer = try await live.door.request("DELETE", "/v1/app", key: keys.admin)
            #expect(answer.status == 405)
            #expect(answer.headers["allow"] == "GET, HEAD, PATCH, OPTIONS")
            #expect(try JSON(answer)["code"].text == "method_not_allowed")
            for method in ["PUT", "POST", "TRACE"] { #expect([405, 501].contains(try await live.door.request(method, "/healthz", body: []).status)) }
        }
    }

    @Test func `HEAD answers like GET without a body`() async throws {
        try await withDaemon { live in
            let keys = try await live.door.makeApp()
            for target in ["/healthz", "/v1/app", "/v1/query/series", "/v1/openapi.json"] {
                let connection = try live.door.connect()
                let head = try await connection.exchange(Door.bytes("HEAD", target, key: keys.read), toHead: true)
                // A body would stand in the way of the next answer.
                let get = try await connection.exchange(Door.bytes("GET", target, key: keys.read))
                #expect(head.status == 200 && get.status == 200)
                #expect(head.headers["content-type"] == get.headers["content-type"])
                #expect(head.headers["content-length"] == get.headers["content-length"], "\(target)")
            }
        }
    }

    @Test func `pages of allowed origins may send events and nothing else`() async throws {
        try await withDaemon(configure: { $0.server.corsOrigins = ["https://shop.example"] }) { live in
            let keys = try await live.door.makeApp()
            let wish = ["Origin": "https://shop.example", "Access-Control-Request-Method": "POST"]
            let preflight = try await live.door.request("OPTIONS", "/v1/events", headers: wish)
            #expect(preflight.status == 204)
            #expect(preflight.headers["access-control-allow-origin"] == "https://shop.example")
            #expect(preflight.headers["access-control-allow-headers"]?.contains("Authorization") == true)
            let foreign = try await live.door.request("OPTIONS", "/v1/events", headers: ["Origin": "https://evil.example"])
            #expect(foreign.headers["access-control-allow-origin"] == nil)
            let reading = try await live.door.request("OPTIONS", "/v1/export", headers: wish)
            #expect(reading.status == 204)
            #expect(reading.headers["access-control-allow-origin"] == nil)

            let post = try await live.door.post("/v1/events", key: keys.ingest, headers: wish, #"[{"name": "a"}]"#)
            #expect(post.headers["access-control-allow-origin"] == "https://shop.example")
            // A page must be able to read why it was refused.
            let refused = try await live.door.post("/v1/events", key: "nonsense", headers: wish, "[]")
            #expect(refused.status == 401)
            #expect(refused.headers["access-control-allow-origin"] == "https://shop.example")
            let export = try await live.door.request("GET", "/v1/export", key: keys.read, headers: wish)
            #expect(export.headers["access-control-allow-origin"] == nil)
        }
    }

    @Test func `every answer carries a request id, and every refusal says what in one shape`() async throws {
        try await withDaemon { live in
            let keys = try await live.door.makeApp()
            let refusals = [
                try await live.door.get("/nothing/here"), try await live.door.get("/v1/app"), try await live.door.get("/v1/export", key: keys.ingest),
                try await live.door.request("PUT", "/v1/app"), try await live.door.post("/v1/events", key: keys.ingest, "{"),
                try await live.door.get("/v1/export?nonsense=1", key: keys.read), try await live.door.get("/v1/%zz"),
            ]
            #expect(refusals.map(\.status) == [404, 401, 403, 405, 400, 422, 404])
            for answer in refusals {
                let problem = try JSON(answer)
                #expect(answer.headers["content-type"] == "application/problem+json")
                #expect(answer.headers["x-request-id"]?.isEmpty == false)
                #expect(problem["status"].number == answer.status)
                #expect(!problem["code"].text.isEmpty && !problem["title"].text.isEmpty && !problem["detail"].text.isEmpty)
            }
            #expect(try await live.door.get("/healthz").headers["x-request-id"]?.isEmpty == false)
        }
    }

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
            let basic = Self.base64(keys.read + ":")
            #expect(try await live.door.request("GET", "/v1/app", headers: ["Authorization": "Basic \(basic)"]).status == 200)
            #expect(try await live.door.request("GET", "/v1/app", headers: ["Authorization": "basic " + Self.base64(keys.read)]).status == 200)
            for broken in ["Basic", "Basic ???", "Bearer", "Digest \(keys.read)", "Bearer  \(keys.read)", "Basic \(Self.base64(":" + keys.read))"] {
                #expect(try await live.door.request("GET", "/v1/app", headers: ["Authorization": broken]).status == 401, "\(broken)")
            }
        }
    }

    static func base64(_ text: String) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var out = ""
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 { out.append(place <= group.count ? letters[Int(bits >> UInt32(18 - 6 * place) & 63)] : "=") }
        }
        return out
    }
}
