// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform
import TestSupport
import Testing

@testable import ingestd

extension Route {
    var row: String { "\(method.name) \(pattern)" }

    /// The method of the test request; HEAD for an endless stream, which sends a head only.
    var probe: String { pattern == "/v1/tail" ? "HEAD" : method.name }

    /// The status without a key; the integrations use their own.
    var withoutKey: Int {
        if case .integration(let key) = access, [.sentry, .sentryEnvelope].contains(key.place) { 403 } else { 401 }
    }

    /// The status of a route that is open to everybody; the page of a mail's link rejects a request without a code.
    var ofEverybody: Int { pattern == "/v1/auth/action" ? 422 : 200 }

    func target(app: Int64) -> String {
        let plain = [
            "{app}": "\(app)", "{key}": "999999", "{id}": "somebody", "{token}": "some-token", "{topic}": "news", "{name}": "some-query",
            "{event}": "latest", "{project}": "\(app)", "{uid}": "somebody", "{session}": "some-session", "{resource}": "tenants",
            "{provider}": "oidc.corp", "{bucket}": "\(app)", "{destination}": "\(app)", "{path}": "docs/d1", "{location}": "us-central1",
            "{database}": "(default)",
            "{debug_id}": SymbolFixture.elf.debugID,
        ]
        // A path before other segments is one segment.
        let pattern = pattern.replacing("{path}/", with: "docs%2Fd1/")
        return plain.reduce(pattern) { $0.replacing($1.key, with: $1.value) }
    }

    /// Creates the data that the route needs and returns its path.
    func introduce(_ api: TestClient, _ keys: AppKeys) async throws -> String {
        var path = pattern
        if pattern.hasPrefix("/v1/users/{id}") {
            #expect(try await api.post("/v1/events", key: keys.ingest, #"[{"name": "a", "user_id": "somebody"}]"#).status == 200)
            if pattern.hasSuffix("/block") {
                #expect(try await api.request("DELETE", "/v1/users/somebody?block=true", key: keys.admin).status == 200)
            }
        }
        if pattern.contains("{uid}") {
            // The ID of a deleted account is not given again while its data is erased.
            let uid = "somebody-\(UInt64.random(in: 0 ... .max))"
            #expect(try await api.post("/v1/auth/accounts", key: keys.admin, #"{"id": "\#(uid)"}"#).status == 201)
            path = path.replacing("{uid}", with: uid)
        }
        if pattern.contains("{token}") || pattern.contains("{topic}") {
            let token = try await MessagingWorld.stream(api, keys)
            #expect(try await api.request("PUT", "/v1/topics/news/subscribers/\(token)", key: keys.send).status == 204)
            path = path.replacing("{token}", with: token)
        }
        if pattern.hasPrefix("/v1/messages/{id}") || pattern.hasPrefix("/v1/deliveries/{id}") {
            let message = try await MessagingWorld.message(api, keys)
            let id = pattern.contains("messages") ? message : try await MessagingWorld.deliveries(api, keys, of: message)[0]["id"].text
            path = path.replacing("{id}", with: id)
        }
        if pattern.hasSuffix("/minidump"), pattern.hasPrefix("/v1/issues/{id}") {
            let target = "/api/\(keys.app)/minidump/?sentry_key=\(keys.ingest)"
            let taken = try await api.request("POST", target, headers: ["Content-Type": SentDump.formType], body: SentDump().form())
            let issues = try JSON(await api.get("/v1/issues", key: keys.read))["items"].items
            path = path.replacing("{id}", with: issues.first { $0["title"].text.contains("SIGSEGV") }?["id"].text ?? "")
                .replacing("{event}", with: taken.text)
        } else if pattern.hasPrefix("/v1/issues/{id}") {
            let taken = try await api.post("/v1/crashes", key: keys.ingest, "[\(SentCrash().json)]")
            path = path.replacing("{id}", with: try JSON(taken)["results"][0]["issue"].text)
        }
        if pattern.hasPrefix("/v1/saved-queries/{name}") {
            let saved = try await api.request("PUT", "/v1/saved-queries/some-query", key: keys.admin, body: Array(#"{"query": "realtime"}"#.utf8))
            #expect([200, 201].contains(saved.status))
        }
        if pattern.hasPrefix("/v1/cohorts/{name}") {
            let saved = try await api.request("PUT", "/v1/cohorts/some-query", key: keys.admin, body: Array(#"{"event": "a"}"#.utf8))
            #expect([200, 201].contains(saved.status))
        }
        if pattern.hasPrefix("/v1/call/") || pattern.contains("/us-central1/") {
            try await CallWorld.define("some-query", #"{"url": "https://functions.example/f", "auth": "any"}"#, api, keys)
        }
        if pattern.contains("/queues/{name}/tasks") || pattern.hasPrefix("/v1/functions/{name}") || pattern.hasPrefix("/v1/runs/{id}") {
            let definition = Array(#"{"url": "https://api.example/run"}"#.utf8)
            let set = try await api.request("PUT", "/v1/functions/some-query", key: keys.admin, body: definition)
            #expect([200, 201].contains(set.status), "\(set.text)")
            let task = try await api.post("/v1/functions/some-query/tasks", key: keys.send, #"{"at": "\#(FunctionWorld.later(hours: 24))"}"#)
            #expect(task.status == 201, "\(task.text)")
            path = path.replacing("{id}", with: try JSON(task)["id"].text)
        }
        if pattern.hasPrefix("/v1/attachments/{id}") { path = path.replacing("{id}", with: try await attachment(api, keys)) }
        if pattern.contains("/releases/{version}/") {
            #expect(try await api.post("/api/0/organizations/any/releases/", key: keys.admin, #"{"version": "shop@1"}"#).status == 201)
            path = path.replacing("{version}", with: "shop@1")
        }
        if pattern.contains("/documents") {
            let rules = "rules_version = '2'; service cloud.firestore { match /{path=**} { allow read, write; } }"
            let set = try await api.request("PUT", "/v1/documents:rules", key: keys.admin, body: Array(#"{"source": "\#(rules)"}"#.utf8))
            #expect(set.status == 200, "\(set.text)")
        }
        if pattern.contains("/documents/{path}") {
            let body = Array(#"{"fields": {}}"#.utf8)
            #expect(try await api.request("PUT", "/v1/documents/docs/d1", key: keys.admin, body: body).status == 200)
        }
        if pattern.hasPrefix("/v1/files/{app}") || pattern.contains("/b/{bucket}") {
            let rules = "rules_version = '2'; service firebase.storage { match /{path=**} { allow read, write; } }"
            let set = try await api.request("PUT", "/v1/files-rules", key: keys.admin, body: Array(#"{"source": "\#(rules)"}"#.utf8))
            #expect(set.status == 200, "\(set.text)")
            #expect([200, 201].contains(try await api.request("PUT", "/v1/files/\(keys.app)/docs/d1", key: keys.admin, body: [1]).status))
        }
        if pattern.hasPrefix("/v1/symbols/{debug_id}") {
            let build = SymbolFixture.elf
            #expect([200, 201].contains(try await api.request("PUT", "/v1/symbols/\(build.debugID)", key: keys.admin, body: build.bytes).status))
        }
        return Route(method, path, access, handler).target(app: keys.app)
    }

    private func attachment(_ api: TestClient, _ keys: AppKeys) async throws -> String {
        let envelope = "{}\n{\"type\":\"event\"}\n{\"message\":\"m\"}\n{\"type\":\"attachment\"}\nx"
        let sent = try await api.post("/api/\(keys.app)/envelope/?sentry_key=\(keys.ingest)", key: keys.ingest, envelope)
        #expect(sent.status == 200)
        for issue in try JSON(try await api.get("/v1/issues", key: keys.admin))["items"].items {
            let files = try JSON(try await api.get("/v1/issues/\(issue["id"].text)/events", key: keys.admin))["items"][0]["attachments"].items
            if let file = files.first { return file["id"].text }
        }
        return "0"
    }
}
