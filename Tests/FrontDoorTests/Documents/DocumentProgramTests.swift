// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

/// Random programs of concurrent clients and a listener, while the daemon is killed before random calls that change a file.
@Suite(.namesFaultSeed) struct DocumentProgramTests {
    /// `scripts/faults` sets these; otherwise the run is short.
    private static let environment = ProcessInfo.processInfo.environment
    private static let rounds = environment["SIGNALBOX_FAULT_ROUNDS"].flatMap(Int.init) ?? 12

    private static let index = #"""
        {"indexes": [], "fieldOverrides": [{"collectionGroup": "c", "fieldPath": "n", "indexes": [{"order": "ASCENDING", "queryScope": "COLLECTION"}]}]}
        """#
    private static let targets = [
        #"{"target": 1, "query": {"from": "c"}}"#, #"{"target": 2, "query": {"from": "c", "where": ["n", "==", 3]}}"#,
        #"{"target": 3, "query": {"from": "c", "where": {"or": [["n", "<", 2], ["n", ">", 6]]}}}"#,
    ]

    /// A listener's place between two daemons.
    private struct Listener: Sendable {
        var token: String?
        var results: [Int: [String: Int]] = [:]
        var snapshots: [DocumentHistory.Snapshot] = []
    }

    @Test func `concurrent programs are strictly serializable, and listeners exact, through kills`() async throws {
        var random = SeededGenerator(FaultSeed.value)
        let folder = TemporaryFolder()
        let shim = FaultShim(watching: folder.path)
        let first = try await DaemonProcess.start(in: folder.path)
        let keys = try await first.api.makeApp()
        let declared = try await first.api.request(
            "PUT", "/v1/documents:indexes", key: keys.admin, headers: ["Content-Type": "application/json"], body: Array(Self.index.utf8))
        #expect(declared.status == 200, "\(declared.text)")
        #expect(await first.stop() == 0)
        var clients = (0..<4).map { DocumentProgramClient($0, key: keys.admin, seed: random.next()) }
        var listener = Listener()
        for _ in 1...Self.rounds {
            let child = try await DaemonProcess.start(in: folder.path, environment: shim.environment)
            let calls = Int.random(in: 1...300, using: &random)
            (clients, listener) = try await Self.work(child, clients, listener, keys.admin) { shim.kill(at: calls) }
            shim.heal()
            await child.killHard()
        }
        let last = try await DaemonProcess.start(in: folder.path)
        for place in clients.indices { await clients[place].work(last.api, requests: 3) }
        #expect(clients.allSatisfy { $0.pending == nil }, "a commit is not answered")
        var history = DocumentHistory()
        for client in clients { history.add(client.history) }
        history.snapshots = listener.snapshots
        let replay = DocumentReplay(history)
        let problems = replay.problems + Self.problems(of: history.snapshots, replay) + (try await Self.problems(of: last.api, keys.admin, replay))
        #expect(problems.prefix(5) == [], "\(problems.count) problems")
        #expect(history.commits.count > Self.rounds * 3 && history.snapshots.count > Self.rounds)
        print("\(history.commits.count) commits, \(history.reads.count) reads, \(history.snapshots.count) snapshots")
        #expect(await last.stop() == 0)
    }

    /// Lets all clients work until the daemon is killed.
    private static func work(
        _ child: DaemonProcess, _ clients: [DocumentProgramClient], _ listener: Listener, _ key: String, kill: () -> Void
    ) async throws -> ([DocumentProgramClient], Listener) {
        let resume = listener.token.map { #", "resume": "\#($0)""# } ?? ""
        let body = #"{"targets": [\#(targets.joined(separator: ","))]\#(resume)}"#
        let follower = try await DocumentFollower(child.api, body, key: key, results: listener.results)
        kill()
        return await withTaskGroup(of: (Int, DocumentProgramClient).self) { group in
            for (place, client) in clients.enumerated() {
                group.addTask {
                    var client = client
                    await client.work(child.api, requests: .max)
                    return (place, client)
                }
            }
            let listener = await follow(follower, listener)
            return (await group.reduce(into: clients) { $0[$1.0] = $1.1 }, listener)
        }
    }

    /// Notes the results after each change until the stream ends.
    private static func follow(_ follower: DocumentFollower, _ listener: Listener) async -> Listener {
        var listener = listener
        while true {
            let last = await follower.stamp
            guard (try? await follower.follow { $0.stamp > last }) == true else { break }
            guard await follower.current.count == targets.count else { continue }
            listener.snapshots.append(await DocumentHistory.Snapshot(stamp: follower.stamp, results: follower.results))
        }
        await follower.close()
        listener.token = await follower.token ?? listener.token
        listener.results = await follower.results
        return listener
    }

    private static func problems(of snapshots: [DocumentHistory.Snapshot], _ replay: DocumentReplay) -> [String] {
        snapshots.compactMap { snapshot in
            let state = replay.state(at: snapshot.stamp)
            let expected = [
                1: state.mapValues(\.version), 2: state.filter { $1.n == 3 }.mapValues(\.version),
                3: state.filter { $1.n < 2 || $1.n > 6 }.mapValues(\.version),
            ]
            return snapshot.results == expected ? nil : "the listener had \(snapshot.results) at \(snapshot.stamp), not \(expected)"
        }
    }

    // MARK: What is stored

    private static func problems(of api: TestClient, _ key: String, _ replay: DocumentReplay) async throws -> [String] {
        var problems: [String] = []
        // Each number by index, which has the documents that a scan has.
        for n in Set(replay.now.values.map(\.n)).union([0]) {
            let body = #"{"from": "c", "where": ["n", "==", \#(n)], "explain": true}"#
            let answer = try JSON(try await api.post("/v1/documents:query", key: key, body))
            let found = Dictionary(uniqueKeysWithValues: answer["documents"].items.map { ($0["path"].text, $0["version"].number) })
            let expected = replay.now.filter { $1.n == n }.mapValues(\.version)
            if found != expected { problems.append("the index has \(found) for \(n), not \(expected): \(answer["explain"].source)") }
        }
        return problems + (try await problemsOfTheLog(api, key, replay))
    }

    /// Applies the log of changes to nothing, which must give every state of the replay.
    private static func problemsOfTheLog(_ api: TestClient, _ key: String, _ replay: DocumentReplay) async throws -> [String] {
        var (problems, copy, after, isCurrent) = ([String](), DocumentHistory.State(), "", false)
        var states: [Int: DocumentHistory.State] = [:]
        while !isCurrent {
            let page = try JSON(try await api.get("/v1/documents:changes?limit=500\(after)", key: key))
            for change in page["changes"].items {
                let (path, stamp, before) = (change["path"].text, change["stamp"].number, copy[change["path"].text])
                let isSame = change["before"].exists ? before?.n == change["before"]["fields"]["n"].number : before == nil
                if !isSame { problems.append("the log has another document before \(stamp): \(change.source)") }
                let later = change["after"]
                copy[path] =
                    later.exists
                    ? .init(n: later["fields"]["n"].number, version: later["version"].number, created: later["created"].number) : nil
                states[stamp] = copy
            }
            after = "&after=\(page["next"].text)"
            isCurrent = page["current"].bool || !page["next"].exists
        }
        for (stamp, state) in states where state != replay.state(at: stamp) { problems.append("the log gives another state at \(stamp)") }
        if copy != replay.now { problems.append("the log gives \(copy), not \(replay.now)") }
        return problems
    }
}
