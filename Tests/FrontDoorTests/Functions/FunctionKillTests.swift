// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ingestd

/// Repeated kills of a daemon while triggers and tasks make runs and the sender carries them out: in the middle of requests that it sends, and
/// before calls that change a file, another call each time.
@Suite struct FunctionKillTests {
    /// `scripts/faults` sets this; otherwise the run is short, and its kills are spread over all calls.
    private static let wanted = ProcessInfo.processInfo.environment["SIGNALBOX_FAULT_FUNCTIONS"].flatMap(Int.init)
    private static let rounds = wanted ?? 13
    private static let perRound = 30
    private static let environment = [
        "INGESTD_FUNCTIONS_ADDRESSES": "127.0.0.0/8", "INGESTD_DELIVERY_RETRIES": "50ms,100ms,200ms,400ms", "INGESTD_SERVER_LISTEN": "127.0.0.1:0",
    ]

    /// Kills a daemon in the middle of a request that it sends.
    private final class Killer: Sendable {
        private let state = Mutex<(child: DaemonProcess, left: Int)?>(nil)

        func arm(_ child: DaemonProcess, after requests: Int) { state.withLock { $0 = (child, requests) } }

        func requestBegins() {
            state.withLock { state in
                guard let armed = state else { return }
                state?.left -= 1
                guard armed.left <= 1 else { return }
                armed.child.signal(SIGKILL)
                state = nil
            }
        }
    }

    @Test func `after kills at any time each change and task is carried out, and none as two runs`() async throws {
        let killer = Killer()
        let sink = try WebhookSink { hook in
            killer.requestBegins()
            return hook.number.isMultiple(of: 7) ? .status(503) : .status(200)
        }
        let folder = TemporaryFolder()
        let shim = FaultShim(watching: folder.path)
        // Without the journal, which would have gigabytes.
        let environment = shim.environment.filter { $0.key != "SIGNALBOX_SHIM_JOURNAL" }.merging(Self.environment) { $1 }
        var keys: AppKeys?
        var acknowledged: Set<String> = []
        var (calls, killsAtCalls) = (1, 0)
        for round in 0..<Self.rounds {
            let child = try await DaemonProcess.start(in: folder.path, environment: environment)
            if keys == nil { keys = try await Self.makeFunctions(child.api, sink) }
            let app = try #require(keys)
            // The first round counts the calls.
            if round == 0 {
                shim.kill(at: .max)
            } else if round.isMultiple(of: 2) {
                shim.kill(at: Self.wanted == nil ? 1 + calls * (round - 2) / Self.rounds : 1 + (round / 2 - 1) % calls)
            } else {
                killer.arm(child, after: .random(in: 1...Self.perRound))
            }
            acknowledged.formUnion(await Self.send(child.api, app, round))
            if round == 0 { calls = max(1, shim.calls) }
            if round.isMultiple(of: 2) { killsAtCalls += shim.failed > 0 ? 1 : 0 }
            shim.heal()
            // Without a kill so far the daemon is killed while it works.
            await child.killHard()
        }
        #expect(calls > Self.perRound && killsAtCalls > 0, "\(killsAtCalls) kills at \(calls) calls")
        let child = try await DaemonProcess.start(in: folder.path, environment: Self.environment)
        let wanted = acknowledged
        let isDone = try await eventually { wanted.isSubset(of: Set(try sink.hooks.compactMap(Self.name))) }
        let missing = try wanted.subtracting(sink.hooks.compactMap(Self.name)).sorted()
        #expect(isDone, "\(missing)")
        try await Self.checkMessages(child.api, try #require(keys), wanted.filter { $0.hasPrefix("e-") })
        #expect(await child.stop() == 0)
        var runs: [String: Set<String>] = [:]
        for hook in sink.hooks {
            let name = try Self.name(hook)
            runs[try #require(name), default: []].insert(hook.id)
        }
        #expect(runs.filter { $0.value.count != 1 }.isEmpty, "a change or a task has two runs")
    }

    private static func name(_ hook: Hook) throws -> String? {
        let data = try JSON(hook.body)["data"]
        return data["id"].exists ? data["id"].text : data["task"].text
    }

    private static func makeFunctions(_ api: TestClient, _ sink: WebhookSink) async throws -> AppKeys {
        let keys = try await api.makeApp()
        let topic = Array(#"{"topic": "changes", "triggers": [{"on": "event", "name": "a"}]}"#.utf8)
        #expect(try await api.request("PUT", "/v1/functions/on-topic", key: keys.admin, body: topic).status == 201)
        for (name, fields) in [("on-event", #", "triggers": [{"on": "event", "name": "a"}]"#), ("on-task", #", "concurrency": 1"#)] {
            let json = "{\"url\": \"\(sink.url("/" + name))\", \"retries\": 20\(fields)}"
            let made = try await api.request("PUT", "/v1/functions/\(name)", key: keys.admin, body: Array(json.utf8))
            #expect(made.status == 201, "\(made.text)")
        }
        return keys
    }

    /// Checks that each event has one message on the topic, and none has two.
    private static func checkMessages(_ api: TestClient, _ keys: AppKeys, _ wanted: Set<String>) async throws {
        @Sendable func published() async throws -> [String] {
            var (names, after): ([String], String?) = ([], nil)
            repeat {
                let page = try JSON(await api.get("/v1/messages?limit=1000" + (after.map { "&after=\($0)" } ?? ""), key: keys.read))
                names += try page["items"].items.map { try JSON(Array($0["data"]["data"].text.utf8))["id"].text }
                after = page["next"].exists ? page["next"].text : nil
            } while after != nil
            return names
        }
        let isWhole = try await eventually { wanted.isSubset(of: Set(try await published())) }
        let names = try await published()
        #expect(isWhole, "\(wanted.subtracting(names).sorted())")
        #expect(Set(names).count == names.count, "a run has two messages")
    }

    /// Sends events and tasks until the daemon is killed. Returns the names of those that it acknowledged.
    private static func send(_ api: TestClient, _ keys: AppKeys, _ round: Int) async -> Set<String> {
        var acknowledged: Set<String> = []
        for number in 0..<perRound {
            let (event, task) = ("e-\(round)-\(number)", "t-\(round)-\(number)")
            let sent = try? await api.post("/v1/events", key: keys.ingest, #"[{"id": "\#(event)", "name": "a"}]"#)
            if sent?.status == 200 { acknowledged.insert(event) }
            let added = try? await api.post("/v1/functions/on-task/tasks", key: keys.send, #"{"id": "\#(task)", "data": {"task": "\#(task)"}}"#)
            if added?.status == 201 { acknowledged.insert(task) }
            if sent == nil, added == nil { break }
        }
        return acknowledged
    }
}
