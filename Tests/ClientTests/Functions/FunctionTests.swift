// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// Calls of functions through a daemon, to a receiver that plays the function.
@Suite struct FunctionTests {
    /// Starts a daemon whose app has the function `receipt` at the receiver, and an app.
    private func use(
        _ sink: WebhookSink, auth: String = "any", _ environment: [String: String] = [:], _ body: (World, SignalboxApp) async throws -> Void
    ) async throws {
        let world = try await World.withAccounts(environment.merging(["INGESTD_MODE": "development"]) { $1 })
        let definition = #"{"url": "\#(sink.url("/receipt"))", "auth": "\#(auth)"}"#
        let reply = try await world.api.request("PUT", "/v1/functions/receipt", key: world.keys.admin, body: Array(definition.utf8))
        try #require(reply.status / 100 == 2, "\(reply.text)")
        let app = try SignalboxApp({ $0.app = "shop" }, of: world)
        try await body(world, app)
        await app.close()
        _ = await world.daemon.stop()
    }

    @Test func `a call sends data and returns the result`() async throws {
        let sink = try WebhookSink { _ in .status(200, body: #"{"result": {"total": 12.5, "items": [1, null, "x"], "big": 9007199254740993}}"#) }
        try await use(sink) { _, app in
            let result = try await app.functions.httpsCallable("receipt").call(["order": "o-7", "count": 2])
            #expect(result.data == ["total": 12.5, "items": [1, nil, "x"], "big": 9_007_199_254_740_993])
            let sent = try JSON(sink.hooks.first?.body ?? [])
            #expect(sent["data"]["order"].text == "o-7" && sent["data"]["count"].number == 2)
            #expect(!sent["context"]["auth"].exists, "nobody is signed in")
        }
    }

    @Test func `a call whose connection ends without a response is not sent again`() async throws {
        let sink = try WebhookSink { $0.number == 1 ? .status(200, body: #"{"result": 1}"#) : .resets }
        let folder = TemporaryFolder()
        var options = SignalboxOptions(address: try #require(URL(string: sink.url(""))), key: "sb_ingest_key")
        options.folder = URL(fileURLWithPath: folder.path)
        options.app = "shop"
        options.isCollectionEnabled = false
        options.capturesCrashes = false
        let app = try SignalboxApp(options)
        let receipt = app.functions.httpsCallable("receipt")
        _ = try await receipt.call()
        let failure = await #expect(throws: FunctionsError.self) { try await receipt.call() }
        #expect(failure?.code == .unavailable)
        #expect(sink.hooks(to: "/v1/call/shop/receipt").count == 2)
        await app.close()
    }

    private struct Order: Codable { var id: String }
    private struct Receipt: Codable, Equatable { var total: Double, note: String? }

    @Test func `types are encoded and decoded`() async throws {
        let sink = try WebhookSink { hook in
            hook.number == 1 ? .status(200, body: #"{"result": {"total": 12.5}}"#) : .status(200, body: #"{"result": 7}"#)
        }
        try await use(sink) { _, app in
            let receipt = app.functions.httpsCallable("receipt", requestAs: Order.self, responseAs: Receipt.self)
            let typed = try await receipt(Order(id: "o-7"))
            #expect(typed == Receipt(total: 12.5, note: nil))
            let sent = try JSON(sink.hooks.first?.body ?? [])
            #expect(sent["data"]["id"].text == "o-7")
            let failure = await #expect(throws: FunctionsError.self) { try await receipt.call(Order(id: "o-7")) }
            #expect(failure?.code == .internal)
        }
    }

    @Test func `the signed-in user's ID token goes along`() async throws {
        let sink = try WebhookSink { _ in .status(200, body: #"{"result": null}"#) }
        try await use(sink, auth: "user") { world, stranger in
            let failure = await #expect(throws: FunctionsError.self) { try await stranger.functions.httpsCallable("receipt").call() }
            #expect(failure?.code == .unauthenticated && sink.hooks.isEmpty)
            for name in ["", "..", "receipt/../../apps", "a\0"] {
                let unknown = await #expect(throws: FunctionsError.self) { try await stranger.functions.httpsCallable(name).call() }
                #expect(unknown?.code == .invalidArgument && sink.hooks.isEmpty)
            }
            await stranger.close()
            // Without `options.app`: the ID token names it.
            let app = try SignalboxApp(world.options())
            let unnamed = await #expect(throws: FunctionsError.self) { try await app.functions.httpsCallable("receipt").call() }
            #expect(unnamed?.code == .failedPrecondition)
            let user = try await app.accounts.signUp(email: World.email, password: World.password, name: nil).user
            let result = try await app.functions.httpsCallable("receipt").call()
            let sent = try JSON(sink.hooks.first?.body ?? [])
            #expect(result.data == .null && sent["context"]["auth"]["uid"].text == user.id)
        }
    }

    @Test func `an ID token that the daemon rejects is refreshed once, and no call is repeated`() async throws {
        let stream = "data: {\"message\": 1}\n\ndata: {\"result\": 2}\n\n"
        let unauthenticated = #"{"error": {"status": "UNAUTHENTICATED", "message": "Not you."}}"#
        let sink = try WebhookSink { hook in
            switch hook.number {
            case 1: .status(200, body: #"{"result": 1}"#)
            case 2: .status(200, "Content-Type: text/event-stream", body: stream)
            default: .status(401, body: unauthenticated)
            }
        }
        try await use(sink, auth: "user", ["INGESTD_ACCOUNTS_URL": "http://one.test"]) { world, app in
            try await app.accounts.signUp(email: World.email, password: World.password, name: nil)
            let callable = app.functions.httpsCallable("receipt")
            // The daemon does not know the issuer of the token any more.
            await world.daemon.killHard()
            try await world.restart(["INGESTD_ACCOUNTS_URL": "http://other.test"])
            let result = try await callable.call()
            #expect(result.data == 1 && sink.hooks.count == 1)
            #expect(await world.requests(to: "/v1/auth/token", status: 200) == 1)
            await world.daemon.killHard()
            try await world.restart(["INGESTD_ACCOUNTS_URL": "http://one.test"])
            var parts: [StreamResponse<JSONValue, JSONValue>] = []
            for try await part in callable.stream() { parts.append(part) }
            #expect(parts == [.message(1), .result(2)] && sink.hooks.count == 2)
            #expect(await world.requests(to: "/v1/auth/token", status: 200) == 1)
            // The function's own answer is no reason to call it again.
            await #expect(throws: FunctionsError(.unauthenticated, "Not you.")) { try await callable.call() }
            #expect(sink.hooks.count == 3)
            #expect(await world.requests(to: "/v1/auth/token", status: 200) == 1)
        }
    }

    @Test func `a call that is repeated after a rejected ID token has the rest of its time`() async throws {
        let sink = try WebhookSink { _ in .status(200, body: #"{"result": 1}"#) }
        try await use(sink, auth: "user", ["INGESTD_ACCOUNTS_URL": "http://one.test"]) { world, stranger in
            await stranger.close()
            let network = try Forwarder(to: world.api.port)
            let app = try SignalboxApp(
                {
                    $0.app = "shop"
                    $0.address = URL(string: "http://127.0.0.1:\(network.port)") ?? $0.address
                }, of: world)
            try await app.accounts.signUp(email: World.email, password: World.password, name: nil)
            await world.daemon.killHard()
            try await world.restart(["INGESTD_ACCOUNTS_URL": "http://other.test"])
            // The rejected call, the question about the token and its refresh take a second each, at least, and the repeated call another one.
            network.trouble(Forwarder.Trouble(delayMilliseconds: 500, percentOfCuts: 0, seed: 1))
            var callable = app.functions.httpsCallable("receipt")
            callable.timeoutInterval = 2.5
            let hasty = callable
            let late = await #expect(throws: FunctionsError.self) { try await hasty.call() }
            #expect(late?.code == .deadlineExceeded && sink.hooks.isEmpty)
            await app.close()
        }
    }

    @Test func `an app's mapping of Firebase's errors works unchanged`() async throws {
        let error = #"{"error": {"status": "INVALID_ARGUMENT", "message": "no order", "details": {"field": "order"}}}"#
        let sink = try WebhookSink { _ in .status(400, body: error) }
        try await use(sink) { _, app in
            do {
                _ = try await app.functions.httpsCallable("receipt").call()
                Issue.record("the call did not fail")
            } catch {
                let failure = error as NSError
                #expect(failure.domain == FunctionsErrorDomain && failure.domain == "com.firebase.functions")
                #expect(FunctionsErrorCode(rawValue: failure.code) == .invalidArgument && failure.code == 3)
                #expect(failure.localizedDescription == "no order")
                #expect((failure.userInfo[FunctionsErrorDetailsKey] as? [String: Any])?["field"] as? String == "order")
            }
        }
    }

    @Test(arguments: [
        ("NOT_FOUND", 404, FunctionsErrorCode.notFound), ("DATA_LOSS", 500, .dataLoss), ("ABORTED", 409, .aborted), ("UNKNOWN", 500, .unknown),
    ]) func `words of functions are codes`(_ word: String, _ status: Int, _ code: FunctionsErrorCode) async throws {
        let sink = try WebhookSink { _ in .status(status, body: #"{"error": {"status": "\#(word)", "message": "m"}}"#) }
        try await use(sink) { _, app in
            await #expect(throws: FunctionsError(code, "m")) { try await app.functions.httpsCallable("receipt").call() }
        }
    }

    @Test func `a call ends with its time limit, with its task, and with the network`() async throws {
        let sink = try WebhookSink { _ in .silent }
        try await use(sink) { world, app in
            let callable = app.functions.httpsCallable("receipt")
            let hasty = {
                var hasty = callable
                hasty.timeoutInterval = 0.2
                return hasty
            }()
            let late = await #expect(throws: FunctionsError.self) { try await hasty.call() }
            #expect(late?.code == .deadlineExceeded)
            let endless = {
                var endless = callable
                endless.timeoutInterval = .infinity
                return endless
            }()
            let call = Task { try await endless.call("endless") }
            // The other one may have ended before it arrived.
            let hasArrived = try await eventually { sink.hooks.contains { String(decoding: $0.body, as: UTF8.self).contains("endless") } }
            #expect(hasArrived)
            call.cancel()
            let cancelled = await #expect(throws: FunctionsError.self) { try await call.value }
            #expect(cancelled?.code == .cancelled)
            await world.daemon.killHard()
            let unreachable = await #expect(throws: FunctionsError.self) { try await callable.call() }
            #expect(unreachable?.code == .unavailable)
            let missing = await #expect(throws: FunctionsError.self) {
                try await world.restart()
                return try await app.functions.httpsCallable("absent").call()
            }
            #expect(missing?.code == .notFound)
        }
    }

    @Test func `a stream yields messages and the result`() async throws {
        let lines = (1...3).map { #"data: {"message": {"step": \#($0)}}"# } + [#"data: {"result": "done"}"#]
        let body = lines.joined(separator: "\n\n") + "\n\n"
        let sink = try WebhookSink { _ in .status(200, "Content-Type: text/event-stream", body: body) }
        try await use(sink) { _, app in
            var parts: [StreamResponse<JSONValue, JSONValue>] = []
            for try await part in app.functions.httpsCallable("receipt").stream(["order": "o-7"]) { parts.append(part) }
            #expect(parts == [.message(["step": 1]), .message(["step": 2]), .message(["step": 3]), .result("done")])

            struct Step: Decodable, Equatable, Sendable { var step: Int }
            let typed = app.functions.httpsCallable("receipt", requestAs: Order.self, responseAs: StreamResponse<Step, String>.self)
            var steps: [StreamResponse<Step, String>] = []
            for try await part in try typed.stream(Order(id: "o-7")) { steps.append(part) }
            #expect(steps == [.message(Step(step: 1)), .message(Step(step: 2)), .message(Step(step: 3)), .result("done")])
        }
    }

    @Test func `a stream ends with the function's error, and with the reader`() async throws {
        let sink = try WebhookSink { hook in
            hook.number == 1
                ? .status(
                    200, "Content-Type: text/event-stream",
                    body: "data: {\"message\": 1}\n\ndata: {\"error\": {\"status\": \"ABORTED\", \"message\": \"m\"}}\n\n")
                : .silent
        }
        try await use(sink) { world, app in
            var messages = 0
            let failure = await #expect(throws: FunctionsError.self) {
                for try await _ in app.functions.httpsCallable("receipt").stream() { messages += 1 }
            }
            #expect(failure == FunctionsError(.aborted, "m") && messages == 1)
            let reading = Task { for try await _ in app.functions.httpsCallable("receipt").stream() {} }
            let hasArrived = try await eventually { sink.hooks.count == 2 }
            #expect(hasArrived)
            reading.cancel()
            _ = try? await reading.value
            let missing = await #expect(throws: FunctionsError.self) { for try await _ in app.functions.httpsCallable("absent").stream() {} }
            #expect(missing?.code == .notFound)
        }
    }
}
