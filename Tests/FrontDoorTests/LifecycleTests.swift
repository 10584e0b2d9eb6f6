// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct LifecycleTests {
    private static let event = #"[{"id": "in flight", "name": "a"}]"#

    @Test func `SIGTERM completes requests in flight, rejects new ones and exits with 0`() async throws {
        let folder = TemporaryFolder()
        let child = try await DaemonProcess.start(in: folder.path)
        let keys = try await child.api.makeApp()
        let request = TestClient.bytes("POST", "/v1/events", key: keys.ingest, body: Array(Self.event.utf8))
        let inFlight = try child.api.connect()
        try await inFlight.send(request.dropLast(3))
        let late = try child.api.connect()
        try await late.send(request.prefix(20))
        let asking = try child.api.connect()
        try await asking.send(Array("GET /readyz HTTP/1.1\r\n".utf8))
        // Responses on later connections of each event loop show that the daemon has read the beginnings of these requests.
        for _ in 1...32 { #expect(try await child.api.get("/readyz").status == 200) }

        child.signal(SIGTERM)
        try await child.line(containing: "draining")
        try await Self.refusesConnections(child.api)
        try await late.send(request.dropFirst(20))
        let refused = try await late.reply()
        #expect(refused.status == 503)
        #expect(refused.headers["retry-after"].flatMap { Int($0) } ?? 0 >= 1)
        #expect(try JSON(refused)["code"].text == "draining")
        try await asking.send(Array("Host: x\r\n\r\n".utf8))
        let readiness = try await asking.reply()
        #expect(readiness.status == 503)
        #expect(try JSON(readiness)["reasons"].items.map(\.text) == ["shutting down"])
        try await inFlight.send(Array(request.suffix(3)))
        #expect(try Taken(await inFlight.reply()) == Taken(accepted: 1))
        // The daemon waits until its clients close their last connections.
        for connection in [inFlight, late, asking] { await connection.close() }
        #expect(await child.exitCode() == 0)

        let next = try await DaemonProcess.start(in: folder.path)
        #expect(try Taken(await next.api.post("/v1/events", key: keys.ingest, Self.event)) == Taken(duplicates: 1))
        #expect(await next.stop() == 0)
    }

    /// Waits until the port refuses connections.
    private static func refusesConnections(_ api: TestClient) async throws {
        while true {
            do {
                try await api.connect().close()
                await Task.yield()
            } catch ConnectionFailure.refused {
                return
            }
        }
    }

    @Test func `new requests are rejected while a delivery finishes`() async throws {
        let sink = try WebhookSink { _ in .silent }
        let folder = TemporaryFolder()
        let child = try await DaemonProcess.start(in: folder.path, environment: ["INGESTD_DELIVERY_ALLOWED_ADDRESSES": "127.0.0.0/8"])
        let keys = try await child.api.makeApp()
        let device = #"{"platform": "server", "endpoint": {"type": "webhook", "url": "\#(sink.url("/hook"))"}}"#
        let token = try JSON(await child.api.post("/v1/devices", key: keys.send, device))["token"].text
        #expect(try await child.api.post("/v1/messages", key: keys.send, #"{"token": "\#(token)", "data": {"a": "b"}}"#).status == 200)
        #expect(try await eventually { sink.hooks.count == 1 })

        child.signal(SIGTERM)
        try await child.line(containing: "draining")
        let refused = try await child.api.post("/v1/events", key: keys.ingest, Self.event)
        #expect(refused.status == 503 && refused.headers["retry-after"] != nil)
        #expect(try JSON(refused)["code"].text == "draining")
        #expect(try await child.api.get("/readyz").status == 503)
        #expect(await child.exitCode() == 0)
    }

    @Test func `a drain ends after its grace period`() async throws {
        let folder = TemporaryFolder()
        let child = try await DaemonProcess.start(in: folder.path, environment: ["INGESTD_SERVER_DRAIN_GRACE": "200ms"])
        let keys = try await child.api.makeApp()
        let stuck = try child.api.connect()
        try await stuck.send(TestClient.bytes("POST", "/v1/events", key: keys.ingest, body: Array(Self.event.utf8)).dropLast(1))
        #expect(try await child.api.get("/healthz").status == 200)
        #expect(await child.stop() == 0)
        #expect(Folder.size(of: folder.path + "/main.db-wal") == 0)
    }

    @Test(.timeLimit(.minutes(5))) func `a blocked query does not delay the shutdown`() async throws {
        let folder = TemporaryFolder()
        let child = try await DaemonProcess.start(in: folder.path, environment: ["INGESTD_SERVER_DRAIN_GRACE": "200ms"])
        let keys = try await child.api.makeApp()
        // Opening the FIFO for reading blocks, like a disk that does not respond.
        #expect(mkfifo(folder.path + "/events/2026-01-01.db", 0o600) == 0)
        let asking = try child.api.connect()
        try await asking.send(TestClient.bytes("GET", "/v1/export", key: keys.read))
        #expect(try await asking.head().status == 200)
        #expect(await child.stop() == 0)
    }

    @Test func `SIGHUP applies live settings, reports those that need a restart and survives an invalid file`() async throws {
        let folder = TemporaryFolder()
        let file = folder.path + "/configuration.json5"
        func write(_ text: String) throws { try File(file, .create).write(Array(text.utf8)) }
        try write(#"{log: {level: "info"}}"#)
        let child = try await DaemonProcess.start(in: folder.path, configuration: file)
        #expect(try await child.api.get("/healthz").status == 200)

        try write(#"{log: {level: "debug"}, server: {loops: 3}}"#)
        child.signal(SIGHUP)
        try await child.line(containing: "configuration reloaded")
        #expect(try await child.line(containing: "changed settings that need a restart").contains("server.loops"))
        #expect(try await child.api.get("/readyz").status == 200)
        try await child.line(containing: "route=/readyz")

        try write(#"{log: {levle: "debug"}}"#)
        child.signal(SIGHUP)
        #expect(try await child.line(containing: "failed to reload the configuration").contains("log.level"))
        #expect(try await child.api.get("/v1/openapi.json").status == 200)
        #expect(await child.stop() == 0)
        let log = await child.wholeLog()
        #expect(!log.contains("route=/healthz"))
        #expect(log.contains("route=/v1/openapi.json"))
    }

    @Test func `a second daemon on the same folder is rejected and the first continues`() async throws {
        let folder = TemporaryFolder()
        let first = try await DaemonProcess.start(in: folder.path)
        let keys = try await first.api.makeApp()
        let second = try await DaemonProcess.run(in: folder.path)
        #expect(second.code != 0)
        #expect(second.log.contains("in use by another ingestd"))
        #expect(try await first.api.get("/v1/app", key: keys.read).status == 200)
        #expect(try await first.api.asOperator("GET", "/v1/apps").status == 200)
        // The lock is released when its process ends in any way.
        await first.killHard()
        let third = try await DaemonProcess.start(in: folder.path)
        #expect(try await third.api.get("/v1/app", key: keys.read).status == 200)
        #expect(await third.stop() == 0)
    }

    @Test func `only the owner may use the control socket, and a stale one is replaced`() async throws {
        let folder = TemporaryFolder()
        let first = try await DaemonProcess.start(in: folder.path)
        var status = stat()
        #expect(stat(first.api.controlSocket, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        await first.killHard()
        let second = try await DaemonProcess.start(in: folder.path)
        #expect(try await second.api.asOperator("GET", "/v1/apps").status == 200)
        #expect(await second.stop() == 0)
    }

    @Test func `the log contains no key, token, path, query or body`() async throws {
        let folder = TemporaryFolder()
        let child = try await DaemonProcess.start(in: folder.path, environment: ["INGESTD_METRICS_TOKEN": "token-for-scrapers"])
        let keys = try await child.api.makeApp("app-of-secrets")
        let events = #"[{"name": "a", "user_id": "user-in-body", "params": {"p": "value-in-body"}}, {"name": "bad name-in-body"}]"#
        #expect(try await child.api.post("/v1/events?session_id=session-in-query", key: keys.ingest, events).status == 200)
        #expect(try await child.api.post("/v1/events", key: keys.ingest, #"{"broken-body"#).status == 400)
        #expect(try await child.api.get("/path-of-nothing/\(keys.admin)").status == 404)
        #expect(try await child.api.get("/v1/export?wrong-query=1", key: keys.read).status == 422)
        #expect(try await child.api.get("/v1/app", key: "unknown-key-presented").status == 401)
        #expect(try await child.api.get("/metrics", key: "token-for-scrapers").status == 200)
        #expect(try await child.api.asOperator("GET", "/v1/apps/app-of-secrets/keys").status == 200)
        #expect(await child.stop() == 0)

        let log = await child.wholeLog()
        #expect(log.contains("route=/v1/apps/{app}/keys"))
        let secrets =
            keys.all + [
                "token-for-scrapers", "in-body", "in-query", "broken-body", "path-of-nothing", "wrong-query", "unknown-key-presented",
                "app-of-secrets",
            ]
        for secret in secrets { #expect(!log.contains(secret), "\(secret)") }
    }

    @Test func `development mode creates an app and stores its keys for the owner only`() async throws {
        let folder = TemporaryFolder()
        let first = try await DaemonProcess.start(in: folder.path, environment: ["INGESTD_MODE": "development"])
        let file = folder.path + "/development-keys.json"
        let bytes = try File(file, .read).read(at: 0, count: 1 << 16)
        var status = stat()
        #expect(stat(file, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let key = try JSON(bytes)["keys"]["ingest"].text
        #expect(try Taken(await first.api.post("/v1/events", key: key, Self.event)) == Taken(accepted: 1))
        #expect(await first.stop() == 0)
        #expect(!(await first.wholeLog()).contains(key))
        let second = try await DaemonProcess.start(in: folder.path, environment: ["INGESTD_MODE": "development"])
        #expect(try File(file, .read).read(at: 0, count: 1 << 16) == bytes)
        #expect(try JSON(await second.api.asOperator("GET", "/v1/apps"))["items"].items.count == 1)
        #expect(await second.stop() == 0)
    }

    @Test(arguments: [true, false]) func `client webhooks are on by default in development, off in production`(
        inDevelopment: Bool
    ) async throws {
        try await withDaemon(configure: { $0.mode = inDevelopment ? .development : .production }) { live in
            let keys = try await live.api.makeApp("other")
            let settings = try JSON(await live.api.get("/v1/app", key: keys.read))["settings"]
            #expect(settings["client_webhooks"].exists && settings["client_webhooks"].bool == inDevelopment)
        }
    }

    @Test func `readiness reports its reasons`() async throws {
        try await withDaemon(configure: { $0.storage.minFreeDisk = 1 << 60 }) { live in
            let answer = try await live.api.get("/readyz")
            #expect(answer.status == 503)
            #expect(try JSON(answer)["reasons"][0].text.contains("disk"))
            #expect(try await live.api.get("/healthz").status == 200)
            let keys = try await live.api.makeApp()
            let refused = try await live.api.post("/v1/events", key: keys.ingest, Self.event)
            #expect(refused.status == 503)
            #expect(try JSON(refused)["code"].text == "storage_full")
            #expect(refused.headers["retry-after"].flatMap { Int($0) } ?? 0 >= 1)
            #expect(live.stored == 0)
        }
    }
}
