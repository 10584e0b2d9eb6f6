// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// Sending to a daemon process.
@Suite struct SendingTests {
    @Test func `events are stored with all their fields`() async throws {
        let world = try await World.start()
        let app = try SignalboxApp(world.options())
        app.analytics.logScreenView(screenName: "Über \"uns\"", screenClass: "AboutView")
        app.analytics.setUserProperties(userId: "ann", email: "ann@example.org")
        app.analytics.setUserProperty("gold", forName: "tier")
        let item = Item(id: "sku-1", name: "Tee", price: Decimal(string: "9.995"), quantity: 2)
        app.analytics.logPurchase(amount: try #require(Decimal(string: "19.99")), currency: "EUR", items: [item], transactionID: "t-1")
        app.analytics.logError(CocoaError(.fileNoSuchFile), context: ["screen": "about"])
        try await app.analytics.flush()

        let events = try await world.stored()
        #expect(events.map { $0["name"].text } == ["first_open", "session_start", "screen_view", "purchase", "app_error"])
        #expect(Set(events.map { $0["session_id"].text }).count == 1 && Set(events.map { $0["installation_id"].text }).count == 1)
        #expect(events.map { $0["user_id"].text } == ["", "", "", "ann", "ann"])
        #expect(events[0]["id"].text == events[0]["installation_id"].text)
        #expect(events[2]["params"]["screen_name"].text == "Über \"uns\"" && events[2]["params"]["screen_class"].text == "AboutView")
        #expect(events.allSatisfy { $0["context"]["environment"].text == "test" && $0["context"]["app_version"].text == "1.2.3" })
        #expect(try await world.api.get("/v1/query/revenue", key: world.keys.admin).text.contains("\"19.99\""))
        let person = try await world.api.get("/v1/users/ann", key: world.keys.admin).text
        #expect(person.contains("\"ann@example.org\"") && person.contains("\"gold\""))
        #expect(await app.status() == SignalboxApp.Status(pending: 0, dropped: 0, lastError: nil))
    }

    @Test func `each event is stored once through kills of the daemon`() async throws {
        let world = try await World.start()
        let app = try SignalboxApp(world.options())
        var next = 0
        for round in 0..<6 {
            for _ in 0..<700 {
                app.analytics.logEvent("step", parameters: ["n": .integer(Int64(next))])
                next += 1
            }
            async let sending: Void? = try? app.analytics.flush()
            if round.isMultiple(of: 2) { await world.daemon.killHard() } else { _ = await world.daemon.stop() }
            await sending
            app.analytics.logEvent("step", parameters: ["n": .integer(Int64(next))])
            next += 1
            try await world.restart()
        }
        let all = next
        #expect(try await eventually { await app.status().pending == 0 })
        #expect(try await world.steps().sorted() == Array(0..<all))
        #expect(await app.status().dropped == 0)
    }

    @Test func `withdrawing consent during a failing request is safe`() async throws {
        let world = try await World.start()
        await world.daemon.killHard()
        let app = try SignalboxApp(world.options())
        for round in 0..<300 {
            app.analytics.logEvent("step")
            async let sending: Void? = try? app.analytics.flush()
            // At a different moment each time.
            for _ in 0..<round { await Task.yield() }
            app.analytics.setCollectionEnabled(false)
            await sending
            app.analytics.setCollectionEnabled(true)
        }
        await app.close()
    }

    @Test func `Retry-After is honoured and everything is sent afterwards`() async throws {
        let world = try await World.start()
        let made = try JSON(await world.api.asOperator("POST", "/v1/apps/\(world.keys.app)/keys", #"{"role": "ingest", "events_per_minute": 60}"#))
        var options = try world.options()
        options.key = made["key"].text
        let app = try SignalboxApp(options)
        for number in 0..<59 { app.analytics.logEvent("step", parameters: ["n": .integer(Int64(number))]) }
        try await app.analytics.flush()
        for number in 59..<79 { app.analytics.logEvent("step", parameters: ["n": .integer(Int64(number))]) }
        let failure = await #expect(throws: SignalboxError.self) { try await app.analytics.flush() }
        guard case .busy(let seconds) = failure else { throw try #require(failure) }
        #expect(seconds > 0)
        #expect(try await eventually { await app.status().pending == 0 })
        #expect(try await world.steps().sorted() == Array(0..<79))
        #expect(await world.requests(to: "/v1/events", status: 429) < 5)
    }

    @Test func `redirects and captive portals get no key and confirm nothing`() async throws {
        let world = try await World.start()
        let stranger = try WebhookSink { _ in .status(200) }
        let portal = try WebhookSink { _ in .status(307, "Location: \(stranger.url("/login"))") }
        let app = try SignalboxApp({ $0.address = URL(string: portal.url("")) ?? $0.address }, of: world)
        app.analytics.logEvent("step")
        let failure = await #expect(throws: SignalboxError.self) { try await app.analytics.flush() }
        guard case .unexpectedResponse(307, _) = failure else { throw try #require(failure) }
        let reading = Task { for await _ in app.messaging.messageStream() {} }
        #expect(try await eventually { portal.hooks(to: "/v1/devices").count > 1 })
        reading.cancel()
        #expect(stranger.hooks.isEmpty)
    }

    @Test func `cancelling during a request or its response does not hang`() async throws {
        let world = try await World.start()
        for _ in 0..<100 {
            let app = try SignalboxApp(world.options())
            app.analytics.logEvent("step")
            let sending = Task { try? await app.analytics.flush() }
            let asking = Task { try? await app.messaging.getToken() }
            await Task.yield()
            await app.close()
            await sending.value
            _ = await asking.value
        }
    }

    @Test func `cancelling while a redirect is answered does not end the process`() async throws {
        let (requests, continuation) = AsyncStream.makeStream(of: Void.self)
        let portal = try WebhookSink { _ in
            continuation.yield()
            return .status(307, "Location: /login")
        }
        let client = APIClient(address: try #require(URL(string: portal.url(""))), key: "sb_ingest_key")
        var arrivals = requests.makeAsyncIterator()
        for round in 0..<500 {
            let asking = Task { try await client.send("GET", "/v1/events", nil) }
            await arrivals.next()
            // At a different moment each time.
            for _ in 0..<round % 100 { await Task.yield() }
            asking.cancel()
            _ = await asking.result
        }
        let stream = StreamConnection { _ in true }
        let failure = await #expect(throws: SignalboxError.self) { try await stream.run(client.request("GET", "/v1/stream"), silence: 30) }
        guard case .unexpectedResponse(307, _) = failure else { throw try #require(failure) }
        client.close()
        #expect(portal.hooks(to: "/login").isEmpty)
    }

    @Test func `a rejected key stops sending until flush`() async throws {
        let world = try await World.start()
        var options = try world.options()
        options.key = "sb_ingest_nobodyknowsthiskeyxxxxxxxxxxxxxxx"
        // Below a second in the foreground, so that no user_engagement is logged.
        let clock = HeldClock()
        options.now = { clock.now }
        options.environment.flushInterval = 0
        let app = try SignalboxApp(options)
        #expect(try await eventually { await app.status().lastError != nil })
        for number in 0..<2_000 { app.analytics.logEvent("step", parameters: ["n": .integer(Int64(number))]) }
        app.didResignActive()
        let failure = await #expect(throws: SignalboxError.self) { try await app.analytics.flush() }
        guard case .unauthorized(401, _) = failure else { throw try #require(failure) }
        #expect(await world.requests(to: "/v1/events", status: 401) <= 2)
        #expect(await app.status().pending == 2_002)
        await app.close()
        let again = try SignalboxApp({ options in options.key = world.keys.ingest }, of: world)
        try await again.analytics.flush()
        #expect(try await world.steps().count == 2_000)
    }

    @Test func `onVerdict reports invalid records, and one does not block others`() async throws {
        let world = try await World.start()
        let heard = Heard<Verdict>()
        let app = try SignalboxApp({ $0.onVerdict = heard.hear }, of: world)
        let live = try #require(app.analytics as? LiveAnalytics)
        for number in 0..<50 { app.analytics.logEvent("step", parameters: ["n": .integer(Int64(number))]) }
        live.outbox.add(Frame.open(.event) + Array("{broken".utf8))
        for number in 50..<100 { app.analytics.logEvent("step", parameters: ["n": .integer(Int64(number))]) }
        app.analytics.logEvent("9 lives")
        app.analytics.logEvent("long", parameters: ["text": .text(String(repeating: "x", count: 101))])
        try await app.analytics.flush()
        #expect(try await world.steps().sorted() == Array(0..<100))
        #expect(heard.all.map(\.result) == [.rejected, .quarantined, .corrected])
        #expect(heard.all.map(\.name) == [nil, "9 lives", "long"])
        #expect(heard.all.last?.code == "value_too_long" && heard.all.last?.field == "params.text")
    }

    @Test func `validatesOnly stores nothing and reports everything`() async throws {
        let world = try await World.start()
        let heard = Heard<Verdict>()
        let app = try SignalboxApp(
            {
                $0.onVerdict = heard.hear
                $0.validatesOnly = true
            }, of: world)
        app.analytics.logEvent("9 lives")
        app.analytics.setUserProperty("gold", forName: "tier")
        try await app.analytics.flush()
        #expect(heard.all.map(\.code) == ["bad_event_name"])
        #expect(try await world.stored().isEmpty)
        #expect(await app.status().pending == 0)
        #expect(await world.requests(to: "/v1/users", status: 200) == 0)
    }

    @Test func `the log contains no key, value or user ID`() async throws {
        let world = try await World.start()
        let heard = Heard<String>()
        let app = try SignalboxApp({ $0.onLog = heard.hear }, of: world)
        app.analytics.setUserProperties(userId: "ann", email: "ann@example.org")
        app.analytics.logEvent("9 lives", parameters: ["secret": "swordfish"])
        try await app.analytics.flush()
        await world.daemon.killHard()
        app.analytics.logEvent("step")
        await #expect(throws: SignalboxError.self) { try await app.analytics.flush() }
        let said = heard.all.joined(separator: "\n")
        #expect(said.contains("quarantined 9 lives") && said.contains("upload failed, 1 records queued"))
        for word in [world.keys.ingest, "swordfish", "ann"] { #expect(!said.contains(word)) }
    }
}

extension SignalboxApp {
    /// Creates an app with test options and the test's changes.
    convenience init(_ change: (inout SignalboxOptions) -> Void, of world: World) throws {
        var options = try world.options()
        change(&options)
        try self.init(options)
    }
}
