// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Dispatch
import DocumentStore
import FunctionStore
import Platform
import SignalboxDocumentModel
import Synchronization
import TestSupport
import Testing

@testable import ingestd

/// Functions that trigger themselves by what they do with their `Signalbox-Token`.
@Suite struct DepthTests {
    /// The code of a function, which runs before its response.
    private final class Code: Sendable {
        private let action = Mutex<(@Sendable (Hook, _ token: String) async -> Void)?>(nil)

        func become(_ body: @escaping @Sendable (Hook, _ token: String) async -> Void) { action.withLock { $0 = body } }

        /// Blocks a thread of the receiver.
        func run(_ hook: Hook) -> WebhookSink.Manner {
            guard let action = action.withLock({ $0 }), let token = hook.headers["signalbox-token"] else { return .status(500) }
            let done = DispatchSemaphore(value: 0)
            Task {
                await action(hook, token)
                done.signal()
            }
            done.wait()
            return .status(200)
        }
    }

    /// A source of triggers, and the request with which a function changes it.
    struct Source: Sendable, CustomTestStringConvertible {
        var name: String
        var trigger: String
        var grant: String
        /// The request of a function for the change with a number.
        var method = "POST"
        var path: @Sendable (Int) -> String
        var body: @Sendable (Int) -> String
        var testDescription: String { name }
    }

    static let sources = [
        Source(
            name: "events", trigger: #"{"on": "event", "name": "refund"}"#, grant: "send", path: { _ in "/v1/events" },
            body: { #"[{"id": "e-\#($0)", "name": "refund", "params": {"transaction_id": "t-\#($0)", "currency": "EUR", "value": 1}}]"# }),
        Source(
            name: "documents", trigger: #"{"on": "document", "path": "loop/{id}", "what": "written"}"#, grant: "data", method: "PUT",
            path: { _ in "/v1/documents/loop/same" }, body: { #"{"fields": {"n": \#($0)}}"# }),
        Source(
            name: "commits", trigger: #"{"on": "document", "path": "loop/{id}", "what": "created"}"#, grant: "data",
            path: { _ in "/v1/documents:commit" }, body: { #"{"writes": [{"set": "loop/d-\#($0)", "fields": {"n": 1}}]}"# }),
        Source(
            name: "files", trigger: #"{"on": "file", "path": "loop/{name}", "what": "finalized"}"#, grant: "data", method: "PUT",
            path: { _ in "/v1/files/shop/loop/same" }, body: { "\($0)" }),
        Source(
            name: "accounts", trigger: #"{"on": "user", "what": "created"}"#, grant: "accounts", path: { _ in "/v1/auth/accounts" },
            body: { #"{"id": "user-\#($0)"}"# }),
    ]

    @Test(arguments: sources)
    func `a function that triggers itself ends after eight runs`(source: Source) async throws {
        let code = Code()
        try await FunctionWorld.use(answer: { code.run($0) }) { world async throws in
            let url = world.sink.url("/f")
            let definition = #"{"url": "\#(url)", "may": ["\#(source.grant)"], "triggers": [\#(source.trigger)]}"#
            let made = try await world.api.asOperator("PUT", "/v1/functions/f?app=shop", definition)
            #expect(made.status == 201, "\(made.text)")
            let api = world.api
            let statuses = Mutex<[Int]>([])
            @Sendable func change(_ number: Int, _ key: String) async {
                let reply = try? await api.request(source.method, source.path(number), key: key, body: Array(source.body(number).utf8))
                statuses.withLock { $0.append(reply?.status ?? 0) }
            }
            code.become { hook, token in await change(Int(hook.headers["signalbox-depth"] ?? "") ?? 0, token) }
            await change(0, source.grant == "send" ? world.keys.send : world.keys.admin)
            let isOver = try await eventually {
                let lines = try JSON(await api.get("/v1/functions/f/logs", key: world.keys.read))["items"].items
                return lines.contains { $0["line"].text.hasPrefix("not run for ") && $0["level"].text == "warning" }
            }
            #expect(isOver)
            #expect(world.sink.hooks.compactMap { $0.headers["signalbox-depth"] } == (1...8).map(String.init))
            #expect(statuses.withLock { $0 }.allSatisfy { $0 / 100 == 2 } && statuses.withLock { $0.count } == 9, "\(statuses.withLock { $0 })")
            #expect(try await world.settled("f", 8))
        }
    }

    @Test func `tasks that a function adds for itself end after eight runs, without a header`() async throws {
        let code = Code()
        try await FunctionWorld.use(answer: { code.run($0) }) { world async throws in
            try await world.put("f", #""may": ["send"]"#)
            let api = world.api
            let statuses = Mutex<[Int]>([])
            code.become { _, token in
                let reply = try? await api.post("/v1/functions/f/tasks", key: token, "{}")
                statuses.withLock { $0.append(reply?.status ?? 0) }
            }
            try await world.task("f")
            #expect(try await world.settled("f", 8))
            #expect(statuses.withLock { $0 } == Array(repeating: 201, count: 7) + [429])
            #expect(try await world.runs("f").map(\.["depth"].number) == [8, 7, 6, 5, 4, 3, 2, 1])
        }
    }

    @Test func `the key of a run ends with its attempt, and a function without rights has none`() async throws {
        let code = Code()
        try await FunctionWorld.use(answer: { $0.path == "/f" ? code.run($0) : .status(200) }) { world async throws in
            try await world.put("f", #""may": ["data"]"#)
            try await world.put("g")
            let api = world.api
            let seen = Mutex<(token: String, statuses: [Int])>(("", []))
            code.become { _, token in
                let read = try? await api.get("/v1/documents/a/b", key: token).status
                let foreign = try? await api.post("/v1/messages", key: token, #"{"topic": "a", "data": {"b": "c"}}"#).status
                seen.withLock { $0 = (token, [read, foreign].map { $0 ?? 0 }) }
            }
            try await world.task("f")
            try await world.task("g")
            #expect(try await world.settled("f", 1))
            #expect(try await world.settled("g", 1))
            #expect(seen.withLock { $0.statuses } == [404, 403])
            #expect(try await api.get("/v1/documents/a/b", key: seen.withLock { $0.token }).status == 401)
            #expect(world.sink.hooks(to: "/g").allSatisfy { $0.headers["signalbox-token"] == nil })
        }
    }

    @Test func `the depth of a change outlives a restart`() async throws {
        let (folder, sink) = (TemporaryFolder(), try WebhookSink())
        let keys = try await withDaemon(
            in: folder, sends: false, configure: { $0.functions.addresses = ["127.0.0.0/8"].compactMap(AddressRange.init) }
        ) { live async throws in
            let keys = try await live.api.makeApp()
            let trigger = #"{"on": "document", "path": "loop/{id}", "what": "written"}"#
            let body = Array(#"{"url": "\#(sink.url("/f"))", "triggers": [\#(trigger)]}"#.utf8)
            #expect(try await live.api.request("PUT", "/v1/functions/f", key: keys.admin, body: body).status == 201)
            for (depth, id) in [(8, "deep"), (7, "last")] {
                var commit = DocumentCommit([DocumentWrite(try #require(DocumentPath("loop/\(id)")), .set(DocumentFields(), mask: nil))])
                commit.depth = depth
                _ = try await live.daemon.store.documents.commit(commit, app: AppID(rawValue: keys.app))
            }
            return keys
        }
        try await withDaemon(in: folder, configure: { $0.functions.addresses = ["127.0.0.0/8"].compactMap(AddressRange.init) }) { live async throws in
            let world = FunctionWorld(live: live, keys: keys, sink: sink)
            #expect(try await world.settled("f", 1))
            #expect(try await world.runs("f").map(\.["subject"].text) == ["loop/last"])
            let lines = try JSON(await live.api.get("/v1/functions/f/logs", key: keys.read))["items"].items.map(\.["line"].text)
            #expect(lines.first == "not run for document.written loop/deep: 8 runs led to it, one by the other")
        }
    }
}
