// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import SignalboxDocuments

/// Listeners against a daemon.
@Suite struct DocumentListenerTests {
    @Test func `a listener shows what is there, own writes at once, and those of others`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "m/a", "fields": {"n": 1}}, {"set": "m/b", "fields": {"n": 2}}"#)
        let documents = try world.device()
        let watched = Watched(documents.collection("m").order("n").snapshots(includeMetadataChanges: true))
        #expect(try await eventually { watched.last?.ids == ["a", "b"] && watched.last?.isFromCache == false })
        try await world.commit(#"{"set": "m/c", "fields": {"n": 0}}, {"delete": "m/b"}"#)
        #expect(try await eventually { watched.last?.ids == ["c", "a"] })
        let changes = try #require(watched.last).changes
        #expect(changes.map(\.kind) == [.removed, .added] && changes[0].oldIndex == 1 && changes[1].newIndex == 0)
        // The daemon is not reachable, and the write is shown.
        await documents.setNetworkEnabled(false)
        let queued = try await documents.batch().set(documents.document("m/d"), ["n": 5]).update(documents.document("m/a"), ["n": -1]).enqueue()
        #expect(try await eventually { watched.last?.ids == ["a", "c", "d"] })
        let shown = try #require(watched.last)
        #expect(shown.isFromCache && shown.hasPendingWrites && shown.documents.map(\.hasPendingWrites) == [true, false, true])
        await documents.setNetworkEnabled(true)
        try await queued.confirmation()
        #expect(try await eventually { watched.last?.isFromCache == false && watched.last?.hasPendingWrites == false })
        #expect(watched.last?.ids == ["a", "c", "d"])
        await watched.stop()
        await documents.close()
    }

    @Test func `a listener with nothing to show does not wait for a daemon that is silent`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "m/a", "fields": {"n": 1}}"#)
        world.network.goSilent()
        let documents = try world.device { $0.patience = 0.1 }
        let watched = Watched(documents.collection("m").snapshots(includeMetadataChanges: true))
        #expect(try await eventually { watched.last?.isFromCache == true && watched.last?.isEmpty == true })
        world.network.mend()
        await documents.connectNow()
        #expect(try await eventually { watched.last?.isFromCache == false && watched.last?.ids == ["a"] })
        await watched.stop()
        await documents.close()
    }

    @Test func `the time of a listener that has left shows later ones no empty result`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "m/a", "fields": {"n": 1}}, {"set": "k/a", "fields": {"n": 1}}"#)
        let documents = try world.device { $0.patience = 86_400 }
        let engine = try await documents.engine()
        let first = Watched(documents.document("m/a").snapshots())
        #expect(try await eventually { first.last?.isFromCache == false })
        let left = try #require(await engine.listeners.first)
        await first.stop()
        #expect(try await eventually { await engine.listeners.isEmpty })
        await engine.stopWaiting(left.target, left.feed)
        #expect(await engine.isOffline == false)
        let second = Watched(documents.collection("k").snapshots(includeMetadataChanges: true))
        #expect(try await eventually { second.last != nil })
        #expect(second.all.first?.isFromCache == false && second.all.first?.ids == ["a"])
        await second.stop()
        await documents.close()
    }

    @Test func `the time of a listener ends its own wait for a connection only`() async throws {
        let world = try await DocumentWorld.start()
        world.network.goSilent()
        let documents = try world.device { $0.patience = 86_400 }
        let engine = try await documents.engine()
        let early = Watched(documents.collection("m").snapshots())
        #expect(try await eventually { await engine.listeners.count == 1 })
        let waiting = try #require(await engine.listeners.first)
        let late = Watched(documents.collection("k").snapshots())
        #expect(try await eventually { await engine.listeners.count == 2 })
        await engine.stopWaiting(waiting.target, waiting.feed)
        #expect(await engine.listeners.filter { $0.isShown }.map { $0.target } == [waiting.target])
        #expect(try await eventually { early.last?.isFromCache == true && early.last?.isEmpty == true })
        await early.stop()
        await late.stop()
        await documents.close()
    }

    @Test func `a listener that leaves while the stream connects ends at the server, too`() async throws {
        let server = ScriptedServer()
        server.holdConnections()
        var options = DocumentOptions(address: URL(fileURLWithPath: "/"), key: "")
        options.isPersistent = false
        let documents = try Documents(options, transport: { _, _ in server })
        let engine = try await documents.engine()
        await documents.setNetworkEnabled(false)
        let (staying, leaving) = (Watched(documents.document("m/a").snapshots()), Watched(documents.document("m/b").snapshots()))
        #expect(try await eventually { await engine.listeners.count == 2 })
        await documents.setNetworkEnabled(true)
        #expect(try await eventually { server.open.count == 2 })
        await leaving.stop()
        #expect(try await eventually { await engine.listeners.count == 1 })
        server.answerConnection()
        #expect(try await eventually { server.open.count == 1 })
        await staying.stop()
        await documents.close()
    }

    @Test func `what the server told of a listener that left is not about one that has its number again`() async throws {
        let server = ScriptedServer()
        var options = DocumentOptions(address: URL(fileURLWithPath: "/"), key: "")
        options.isPersistent = false
        let documents = try Documents(options, transport: { _, _ in server })
        let engine = try await documents.engine()
        let (left, kept) = (try #require(DocumentPath("m/a")), try #require(DocumentPath("m/b")))
        func put(_ path: DocumentPath, to number: Int64, at stamp: Int64) {
            let document = RemoteDocument(path: path, fields: DocumentFields(), version: stamp, created: stamp)
            server.send(.changes(stamp: stamp, [.init(targets: [number], kind: .put(document))], token: nil))
            server.send(.current(number, token: "\(stamp)"))
        }
        let (leaving, staying) = (Watched(documents.document("m/a").snapshots()), Watched(documents.document("m/b").snapshots()))
        #expect(try await eventually { server.open.count == 2 })
        let (number, other) = (try #require(server.number(of: .document(left))), try #require(server.number(of: .document(kept))))
        put(left, to: number, at: 1)
        #expect(try await eventually { leaving.last?.exists == true })
        server.leaveRemovals()
        await leaving.stop()
        #expect(try await eventually { server.open.count == 1 })
        let again = Watched(documents.document("m/a").snapshots(includeMetadataChanges: true))
        #expect(try await eventually { server.number(of: .document(left)) == number })
        // The daemon had this state under way. It has no difference for the target that left.
        server.send(.changes(stamp: 2, [], token: nil))
        server.send(.current(number, token: "2"))
        put(kept, to: other, at: 3)
        #expect(try await eventually { staying.last?.exists == true })
        #expect(await engine.targets[number]?.isCurrent == false)
        // The token of that event does not cover what was ignored.
        #expect(await engine.targets[number]?.hasToken == false)
        await again.stop()
        #expect(try await eventually { server.open.count == 1 })
        let last = Watched(documents.document("m/a").snapshots(includeMetadataChanges: true))
        #expect(try await eventually { server.number(of: .document(left)) == number })
        // The answer to the first removal does not end the second.
        server.send(.removed(number, nil))
        put(left, to: number, at: 4)
        put(kept, to: other, at: 5)
        #expect(try await eventually { await engine.targets[other]?.view.base[kept]?.version == 5 })
        #expect(await engine.targets[number]?.isCurrent == false)
        server.send(.removed(number, nil))
        put(left, to: number, at: 6)
        #expect(try await eventually { last.last?.isFromCache == false })
        #expect((again.all + last.all).allSatisfy { $0.exists })
        await last.stop()
        await staying.stop()
        await documents.close()
    }

    @Test func `a limited result is filled from the cache while its documents have moved`() async throws {
        let service = try InMemoryDocuments(["c/a": ["n": 1], "c/b": ["n": 2], "c/c": ["n": 3], "d/c": ["n": 0]])
        let documents = service.documents
        let all = Watched(documents.collection("c").snapshots())
        #expect(try await eventually { all.last?.count == 3 })
        let query = documents.collection("c").order("n").limit(2)
        let first = Watched(query.snapshots(includeMetadataChanges: true))
        #expect(try await eventually { first.last?.ids == ["a", "b"] && first.last?.isFromCache == false })
        await first.stop()
        await documents.setNetworkEnabled(false)
        try await documents.batch().update(documents.document("c/a"), ["n": 4]).enqueue()
        let second = Watched(query.snapshots(includeMetadataChanges: true))
        #expect(try await eventually { second.last != nil })
        #expect(second.all.map(\.ids) == [["b", "c"]] && second.last?.isFromCache == true)
        await documents.setNetworkEnabled(true)
        #expect(try await eventually { second.last?.isFromCache == false && second.last?.hasPendingWrites == false })
        #expect(second.last?.ids == ["b", "c"])
        await second.stop()
        await all.stop()
        await documents.close()
    }

    @Test func `all listeners share a stream, and equal ones a target`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "m/a", "fields": {"n": 1}}, {"set": "k/a", "fields": {"n": 1}}"#)
        let documents = try world.device()
        let first = Watched(documents.collection("m").snapshots())
        let second = Watched(documents.collection("m").snapshots())
        #expect(try await eventually { first.last?.count == 1 && second.last?.count == 1 })
        let third = Watched(documents.document("k/a").snapshots())
        #expect(try await eventually { third.last?["n"] == 1 && third.last?.isFromCache == false })
        let listeners = try JSON(await world.api.get("/v1/documents:listeners", key: world.keys.read))
        #expect(listeners["streams"].number == 1 && listeners["listeners"].number == 2, "\(listeners.source)")
        await third.stop()
        await second.stop()
        try await world.commit(#"{"set": "m/b", "fields": {}}, {"delete": "k/a"}"#)
        #expect(try await eventually { first.last?.count == 2 })
        #expect(second.last?.count == 1 && third.all.count == 1)
        await first.stop()
        #expect(try await eventually { try JSON(await world.api.get("/v1/documents:listeners", key: world.keys.read))["streams"].number == 0 })
        await documents.close()
    }

    @Test func `a denied query ends with an error and others go on`() async throws {
        let world = try await DocumentWorld.start(rules: DocumentWorld.someRules)
        try await world.commit(#"{"set": "open/a", "fields": {"n": 1}}"#)
        let documents = try world.device()
        let denied = Watched(documents.collection("secret").snapshots())
        let allowed = Watched(documents.collection("open").snapshots())
        #expect(try await eventually { denied.error != nil && allowed.last?.count == 1 })
        #expect(denied.error?.code == .permissionDenied && allowed.error == nil)
        // A refused write is shown, undone and reported.
        let failures = await documents.failures()
        let error = await #expect(throws: DocumentError.self) { try await documents.document("open/a").update(["n": 500]) }
        #expect(error?.code == .permissionDenied)
        #expect(try await eventually { allowed.last?.documents.first?["n"] == 1 })
        #expect(allowed.all.contains { $0.documents.first?["n"] == 500 })
        var iterator = failures.makeAsyncIterator()
        #expect(await iterator.next() == WriteFailure(paths: ["open/a"], error: try #require(error)))
        await allowed.stop()
        await documents.close()
    }

    @Test func `the last documents are followed in the order of the query`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit((1...4).map { #"{"set": "m/\#($0)", "fields": {"n": \#($0)}}"# }.joined(separator: ","))
        let documents = try world.device()
        let watched = Watched(documents.collection("m").order("n").limit(toLast: 2).snapshots())
        #expect(try await eventually { watched.last?.ids == ["3", "4"] && watched.last?.isFromCache == false })
        try await documents.document("m/5").set(["n": 5])
        #expect(try await eventually { watched.last?.ids == ["4", "5"] })
        let change = try #require(watched.last?.changes.last)
        #expect(change.kind == .added && change.newIndex == 1 && change.document.id == "5")
        try await world.commit(#"{"delete": "m/4"}"#)
        #expect(try await eventually { watched.last?.ids == ["3", "5"] })
        await watched.stop()
        await documents.close()
    }

    @Test func `metadata alone is told to listeners that ask for it, and to no others`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "m/a", "fields": {"n": 1}}"#)
        let documents = try world.device()
        let all = Watched(documents.collection("m").snapshots(includeMetadataChanges: true))
        let data = Watched(documents.collection("m").snapshots())
        let one = Watched(documents.document("m/a").snapshots(includeMetadataChanges: true))
        #expect(try await eventually { [all.last?.isFromCache, data.last?.isFromCache, one.last?.isFromCache] == [false, false, false] })
        let known = data.all.count
        await documents.setNetworkEnabled(false)
        #expect(try await eventually { all.last?.isFromCache == true && one.last?.isFromCache == true })
        #expect(all.last?.changes.isEmpty == true && all.last?.count == 1)
        let write = try await documents.batch().update(documents.document("m/a"), ["n": 2]).enqueue()
        #expect(try await eventually { all.last?.hasPendingWrites == true && one.last?.hasPendingWrites == true && data.all.count == known + 1 })
        #expect(data.last?.documents.first?["n"] == 2 && all.last?.changes.map(\.kind) == [.modified])
        await documents.setNetworkEnabled(true)
        try await write.confirmation()
        #expect(try await eventually { all.last?.hasPendingWrites == false && one.last?.hasPendingWrites == false })
        #expect(try await eventually { all.last?.isFromCache == false && one.last?.isFromCache == false })
        try await world.commit(#"{"set": "m/b", "fields": {"n": 1}}"#)
        #expect(try await eventually { data.last?.count == 2 })
        #expect(data.all.count == known + 2, "one for each change of data")
        for watched in [all, data] { await watched.stop() }
        await one.stop()
        await documents.close()
    }

    @Test func `a limited result is filled from behind`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit((1...5).map { #"{"set": "m/\#($0)", "fields": {"n": \#($0)}}"# }.joined(separator: ","))
        let documents = try world.device()
        let watched = Watched(documents.collection("m").order("n").limit(2).snapshots())
        #expect(try await eventually { watched.last?.ids == ["1", "2"] })
        try await documents.document("m/1").delete()
        #expect(try await eventually { watched.last?.ids == ["2", "3"] })
        try await documents.document("m/9").set(["n": 2.5])
        #expect(try await eventually { watched.last?.ids == ["2", "9"] })
        try await documents.document("m/9").delete()
        #expect(try await eventually { watched.last?.ids == ["2", "3"] })
        await watched.stop()
        await documents.close()
    }
}
