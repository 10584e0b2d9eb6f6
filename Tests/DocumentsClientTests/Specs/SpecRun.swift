// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel
import TestSupport

@testable import SignalboxDocuments

/// Drives the client's engine through the steps of a specification, and compares what its listeners show after each.
actor SpecRun {
    struct Listener {
        let kind: StreamTarget.Kind
        let watch: SpecWatch
    }

    struct Undecided {
        let path: DocumentPath
        let isDeletion: Bool
        /// Whether the app was told that the write was made; nil before, and nil itself if the app was ended.
        var answer: Locked<Bool?>?
    }

    private let folder = TemporaryFolder()
    let server = ScriptedServer()
    private(set) var documents: Documents
    private(set) var engine: DocumentEngine
    /// By the text of the query.
    var listeners: [String: Listener] = [:]
    var expected: [String: ExpectedView] = [:]
    /// By the specification's number of the target.
    var kinds: [Int64: StreamTarget.Kind] = [:]
    var undecided: [Undecided] = []
    /// The answers that the app got in the step about the writes of documents.
    var answers: [DocumentPath: Bool] = [:]
    var isOnline = true
    /// Whether the stream has ended and told nothing since.
    var isBroken = false
    var watched = WatchedEvents()
    /// The consistent states that were sent, which number the tokens.
    var snapshots = 0
    private var waits: [Locked<Bool>] = []

    init() async throws {
        documents = try SpecRun.open(folder, server)
        engine = try await documents.engine()
    }

    private static func open(_ folder: TemporaryFolder, _ server: ScriptedServer) throws -> Documents {
        var options = DocumentOptions(address: URL(fileURLWithPath: "/"), key: "")
        options.folder = URL(fileURLWithPath: folder.path)
        options.backoff = Backoff(first: 0.01, longest: 0.02)
        return try Documents(options, transport: { _, _ in server })
    }

    func run(_ spec: SpecCase) async throws {
        let steps = spec.json["steps"]?.elements ?? []
        if steps.contains(where: { $0["runTimer"] != nil }) { server.holdConnections() }
        for (number, step) in steps.enumerated() {
            do {
                answers = [:]
                try await take(step)
                try await settle()
                try await check(step)
            } catch let mismatch as SpecMismatch {
                await close()
                throw SpecMismatch(description: "step \(number) \(step.members?.map(\.name).sorted() ?? []): \(mismatch)")
            }
        }
        await close()
    }

    private func close() async {
        for listener in listeners.values { listener.watch.stop() }
        await documents.close()
    }

    // MARK: Steps

    private func take(_ step: JSONNode) async throws {
        for member in step.members ?? [] {
            switch member.name {
            case "userListen": try await listen(member.value)
            case "userUnlisten": try await unlisten(member.value)
            case "userSet", "userPatch", "userDelete": try await write(member.name, member.value)
            case "writeAck": try await acknowledge(member.value)
            case "failWrite": try await refuse(member.value)
            case "watchAck": server.answerConnection()
            case "runTimer": if member.value == .text("online_state_timeout") { await engine.stopWaiting() }
            case "drainQueue", "clientIndex", "expectedState", "expectedSnapshotEvents", "expectedWaitForPendingWritesEvents": break
            case "watchEntity": try watch(entity: member.value)
            case "watchCurrent": watched.current.formUnion(targets(member.value.elements?.first))
            case "watchReset": watched.reset(targets(member.value))
            case "watchSnapshot": try await snapshot(member.value)
            case "watchRemove": try await remove(member.value)
            case "watchStreamClose": closeStream(member.value)
            case "enableNetwork": await setOnline(member.value == .bool(true))
            case "restart": try await restart()
            case "waitForPendingWrites": waitForWrites()
            default: throw SpecMismatch(description: "unknown step \(member.name)")
            }
        }
    }

    private func listen(_ node: JSONNode) async throws {
        guard let query = node["query"], let target = node["targetId"]?.integer else { throw SpecMismatch(description: "no query") }
        let kind = try SpecJSON.kind(query, of: documents)
        let watch = SpecWatch()
        try await engine.listen(kind, watch.feed)
        watch.begin()
        listeners[SpecJSON.key(query)] = Listener(kind: kind, watch: watch)
        kinds[target] = kind
    }

    private func unlisten(_ node: JSONNode) async throws {
        guard let parts = node.elements, parts.count == 2, let listener = listeners.removeValue(forKey: SpecJSON.key(parts[1])) else {
            throw SpecMismatch(description: "nothing to unlisten")
        }
        expected[SpecJSON.key(parts[1])] = nil
        listener.watch.stop()
        if listeners.values.contains(where: { $0.kind == listener.kind }) { return }
        let engine = engine
        try await wait("the listener is still there") { await engine.number(of: listener.kind) == nil }
        if let target = parts[0].integer { kinds[target] = nil }
    }

    private func write(_ name: String, _ node: JSONNode) async throws {
        let (key, value) = (node.elements?.first ?? node, node.elements?.last)
        let path = try SpecJSON.path(key)
        let document = documents.document(path.description)
        let batch = documents.batch()
        let queued: QueuedWrite
        switch name {
        case "userSet": queued = try await batch.set(document, try SpecJSON.written(value)).enqueue()
        case "userPatch": queued = try await batch.update(document, try SpecJSON.written(value)).enqueue()
        default: queued = try await batch.delete(document).enqueue()
        }
        let answer = Locked<Bool?>(nil)
        Task {
            do throws(DocumentError) {
                try await queued.confirmation()
                answer.withLock { $0 = true }
            } catch { if error.code != .cancelled { answer.withLock { $0 = false } } }
        }
        undecided.append(Undecided(path: path, isDeletion: name == "userDelete", answer: answer))
    }

    private func setOnline(_ isEnabled: Bool) async {
        isOnline = isEnabled
        watched = WatchedEvents()
        await documents.setNetworkEnabled(isEnabled)
    }

    private func restart() async throws {
        for listener in listeners.values { listener.watch.stop() }
        await documents.close()
        (listeners, expected, kinds, watched) = ([:], [:], [:], WatchedEvents())
        documents = try SpecRun.open(folder, server)
        engine = try await documents.engine()
        if !isOnline { await documents.setNetworkEnabled(false) }
        for index in undecided.indices { undecided[index].answer = nil }
    }

    private func waitForWrites() {
        let (isDone, engine) = (Locked(false), engine)
        waits.append(isDone)
        // The engine gets the call before those of later steps.
        Task.immediate {
            try await engine.waitForPendingWrites()
            isDone.withLock { $0 = true }
        }
    }

    // MARK: Checks

    func wait(_ complaint: String, _ isSo: @Sendable () async throws -> Bool) async throws {
        if try await !eventually(within: .seconds(20), isSo) { throw SpecMismatch(description: complaint) }
    }

    /// Waits until the engine has done everything that follows from a step.
    private func settle() async throws {
        let (engine, server) = (engine, server)
        if isOnline, server.isHolding {
            try await wait("there is no connection") {
                let kinds = await engine.kinds
                return kinds.isEmpty || server.hasStream
            }
        } else if isOnline {
            try await wait("the stream has other targets than are listened to") {
                let kinds = await engine.kinds
                return server.open == kinds
            }
        }
        if isOnline, !undecided.isEmpty { try await wait("a write is not sent") { server.hasCommit } }
        for listener in listeners.values {
            try await wait("a listener did not get what the engine shows") {
                let shown = await engine.shown(listener.kind)
                return shown == nil || listener.watch.last == shown
            }
        }
    }

    private func check(_ step: JSONNode) async throws {
        for event in step["expectedSnapshotEvents"]?.elements ?? [] { try checkEvent(event) }
        try checkViews()
        try checkState(step["expectedState"])
        if let count = step["expectedWaitForPendingWritesEvents"]?.integer {
            let waits = waits
            try await wait("not \(count) of \(waits.count) calls have waited for writes") { waits.count { $0.withLock { $0 } } == Int(count) }
            self.waits.removeAll { $0.withLock { $0 } }
        }
    }

    private func checkEvent(_ event: JSONNode) throws {
        guard let query = event["query"].map(SpecJSON.key) else { throw SpecMismatch(description: "an event has no query") }
        guard let code = event["errorCode"]?.integer, code != 0 else { return try expected[query, default: ExpectedView()].add(event) }
        guard let listener = listeners.removeValue(forKey: query) else { throw SpecMismatch(description: "nobody listens") }
        expected[query] = nil
        let wanted = SpecJSON.error(.object([.init(name: "code", value: .integer(code))]))
        if listener.watch.error != wanted { throw SpecMismatch(description: "the listener ended with \(String(describing: listener.watch.error))") }
        kinds = kinds.filter { $0.value != listener.kind }
    }

    private func checkViews() throws {
        for (query, listener) in listeners {
            switch (expected[query], listener.watch.last) {
            case (nil, nil): break
            case (nil, let view?):
                throw SpecMismatch(description: "shows \(view.documents.map(\.path)), from the cache: \(view.isFromCache), and expected is nothing")
            case (_?, nil): throw SpecMismatch(description: "shows nothing")
            case (let expected?, let view?):
                if let error = listener.watch.error { throw SpecMismatch(description: "the listener ended: \(error)") }
                let paths = Set(undecided.map(\.path))
                if let difference = expected.difference(from: view, undecided: paths, isBroken: isBroken) {
                    throw SpecMismatch(description: difference)
                }
            }
        }
    }

    private func checkState(_ state: JSONNode?) throws {
        if isOnline, !server.isHolding, let targets = state?["activeTargets"]?.members {
            let wanted = try Set(
                targets.flatMap { $0.value["queries"]?.elements ?? [] }.map { try SpecJSON.kind($0, of: documents) })
            if server.open != wanted { throw SpecMismatch(description: "listens to \(server.open), expected \(wanted)") }
        }
        guard let callbacks = state?["userCallbacks"] else { return }
        for (name, wasMade) in [("acknowledgedDocs", true), ("rejectedDocs", false)] {
            let wanted = try Set((callbacks[name]?.elements ?? []).map { try SpecJSON.path($0) })
            let told = Set(answers.filter { $0.value == wasMade }.keys)
            if told != wanted { throw SpecMismatch(description: "\(name): \(told), expected \(wanted)") }
        }
    }
}

/// A listener of a specification, and what it got.
final class SpecWatch: Sendable {
    let feed: SnapshotFeed
    private let steps = Locked<[SnapshotFeed.Step]>([])
    private let failure = Locked<DocumentError?>(nil)
    private let reading = Locked<Task<Void, Never>?>(nil)

    init(includesMetadata: Bool = true) { feed = SnapshotFeed(includesMetadata: includesMetadata) }

    var all: [SnapshotFeed.Step] { steps.withLock { $0 } }
    var last: FeedView? { all.last?.view }
    var error: DocumentError? { failure.withLock { $0 } }

    func begin() {
        let (feed, steps, failure) = (feed, steps, failure)
        let task = Task {
            do throws(DocumentError) { while let step = try await feed.next() { steps.withLock { $0.append(step) } } } catch {
                failure.withLock { $0 = error }
            }
        }
        reading.withLock { $0 = task }
    }

    func stop() { reading.withLock { $0 }?.cancel() }
}

extension DocumentEngine {
    var kinds: Set<StreamTarget.Kind> { Set(numbers.keys) }
    var queueCount: Int { queue.count }

    func number(of kind: StreamTarget.Kind) -> Int64? { numbers[kind] }

    /// The targets and feeds of all listeners.
    var listeners: [(target: Int64, feed: Int, isShown: Bool)] {
        targets.values.flatMap { target in target.feeds.keys.map { (target: target.number, feed: $0, isShown: target.isShown) } }
    }

    /// Lets the time pass for which listeners wait for a connection.
    func stopWaiting() { for listener in listeners { stopWaiting(listener.target, listener.feed) } }

    func storedToken() throws -> String? { try store.token }

    /// Returns the result that the listeners of a target were offered last.
    func shown(_ kind: StreamTarget.Kind) -> FeedView? {
        guard let target = numbers[kind].flatMap({ targets[$0] }), target.isShown else { return nil }
        return feedView(target.view.documents, of: target.view, isFromCache: !target.isCurrent)
    }
}
