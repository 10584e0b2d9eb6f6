// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import SignalboxDocuments

/// The network goes and comes back, answers are lost, and the app ends in between.
@Suite struct OfflineTests {
    @Test func `queued writes and cached documents survive the end of the app`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "m/a", "fields": {"n": 1, "tags": ["x"]}}"#)
        let first = try world.device()
        #expect(try await first.collection("m").get().ids == ["a"])
        await first.setNetworkEnabled(false)
        try await first.batch().update(first.document("m/a"), ["n": .increment(5), "tags": .arrayUnion(["y"])]).enqueue()
        try await first.batch().set(first.document("m/b"), ["n": 7]).enqueue()
        await first.close()
        world.network.goDown()
        let second = try world.device()
        let offline = try await second.collection("m").order("n").get()
        #expect(offline.ids == ["a", "b"] && offline.isFromCache && offline.hasPendingWrites)
        #expect(offline.documents[0]["n"] == 6 && offline.documents[0]["tags"] == ["x", "y"])
        world.network.mend()
        await second.connectNow()
        try await second.waitForPendingWrites()
        #expect(try await world.fields("m/a")["n"].number == 6)
        #expect(try await world.fields("m/b")["n"].number == 7)
        await second.close()
    }

    @Test func `a transaction sends nothing while the network is disabled`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "m/a", "fields": {"n": 1}}"#)
        let documents = try world.device()
        let counter = documents.document("m/a")
        await documents.setNetworkEnabled(false)
        let read = await Task { try await documents.transaction { transaction in _ = try await transaction.get(counter) } }.result
        let write = await Task { try await documents.transaction { transaction in transaction.set(counter, ["n": 2]) } }.result
        for result in [read, write] {
            let failure = #expect(throws: DocumentError.self) { try result.get() }
            #expect(failure?.code == .unavailable)
        }
        await documents.setNetworkEnabled(true)
        try await documents.transaction { transaction in transaction.update(counter, ["n": .increment(1)]) }
        #expect(try await world.fields("m/a")["n"].number == 2)
        await documents.close()
    }

    @Test func `closed documents wait for no queued write`() async throws {
        let world = try await DocumentWorld.start()
        let documents = try world.device()
        await documents.setNetworkEnabled(false)
        try await documents.batch().set(documents.document("m/a"), ["n": 1]).enqueue()
        await documents.close()
        let failure = await #expect(throws: DocumentError.self) { try await documents.waitForPendingWrites() }
        #expect(failure?.code == .cancelled)
        for await failure in await documents.failures() { Issue.record("\(failure)") }
    }

    @Test(arguments: Forwarder.Cut.allCases)
    func `an increment whose exchange is cut counts once`(cut: Forwarder.Cut) async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "m/a", "fields": {"n": 0}}"#)
        let documents = try world.device()
        world.network.cut(cut)
        let counter = documents.document("m/a")
        let writes = Task { for _ in 0..<5 { try await counter.set(["n": .increment(1)], merge: true) } }
        #expect(try await eventually { world.network.cuts >= 2 })
        world.network.mend()
        try await writes.value
        #expect(try await world.fields("m/a")["n"].number == 5)
        await documents.close()
    }

    @Test func `an app that ends between the answer and its storing repeats nothing`() async throws {
        let world = try await DocumentWorld.start()
        let documents = try world.device()
        world.network.cut(.beforeTheAnswer)
        let write = try await documents.batch().set(documents.document("m/a"), ["n": .increment(1)], merge: true).enqueue()
        // The daemon has made the commit, and the app knows nothing of it.
        #expect(try await eventually { try await world.fields("m/a")["n"].number == 1 })
        await documents.close()
        await #expect(throws: DocumentError.self) { try await write.confirmation() }
        world.network.mend()
        let later = try world.device()
        try await later.waitForPendingWrites()
        try await later.document("m/a").set(["n": .increment(1)], merge: true)
        #expect(try await world.fields("m/a")["n"].number == 2)
        await later.close()
    }

    @Test func `a listener resumes with the net change, also in a later launch`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit((0..<50).map { #"{"set": "m/\#($0)", "fields": {"n": \#($0)}}"# }.joined(separator: ","))
        let first = try world.device()
        let watched = Watched(first.collection("m").order("n").snapshots())
        #expect(try await eventually { watched.last?.count == 50 && watched.last?.isFromCache == false })
        world.network.goDown()
        try await world.commit(
            #"{"delete": "m/0"}, {"set": "m/1", "fields": {"n": 100}}, {"set": "m/x", "fields": {"n": 0}}, {"set": "m/y", "fields": {}}"#)
        try await world.commit(#"{"delete": "m/x"}"#)
        world.network.mend()
        await first.connectNow()
        #expect(try await eventually { watched.last?.documents.last?.id == "1" && watched.last?.count == 49 })
        #expect(watched.all.allSatisfy { !$0.ids.contains("x") && !$0.ids.contains("y") })
        await watched.stop()
        await first.close()
        try await world.commit(#"{"delete": "m/2"}"#)
        let second = try world.device()
        let again = Watched(second.collection("m").order("n").snapshots())
        #expect(try await eventually { again.last?.count == 48 })
        // The first snapshot is that of the cache, and the daemon tells what has changed since.
        #expect(again.all.first?.isFromCache == true && again.all.first?.count == 49)
        #expect(again.all.last?.changes.count == 1)
        await again.stop()
        await second.close()
    }

    @Test func `two devices change different fields and both changes stay`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "u/1", "fields": {"name": "A", "age": 1, "m": {"x": 1, "y": 1}}}"#)
        let devices = [try world.device("one"), try world.device("two")]
        for documents in devices {
            #expect(try await documents.document("u/1").get()["age"] == 1)
            await documents.setNetworkEnabled(false)
        }
        let one = try await devices[0].batch().update(devices[0].document("u/1"), ["name": "B", "m.x": 2, "n": .increment(1)]).enqueue()
        let two = try await devices[1].batch().update(devices[1].document("u/1"), ["age": 2, "m.y": 3, "name": "C", "n": .increment(1)]).enqueue()
        await devices[0].setNetworkEnabled(true)
        try await one.confirmation()
        await devices[1].setNetworkEnabled(true)
        try await two.confirmation()
        for documents in devices {
            let read = try await documents.document("u/1").get(source: .server)
            #expect(read.data == ["name": "C", "age": 2, "m": ["x": 2, "y": 3], "n": 2])
        }
        for documents in devices { await documents.close() }
    }

    @Test func `of writes that are sent together only the refused one is undone`() async throws {
        let world = try await DocumentWorld.start(rules: DocumentWorld.someRules)
        let documents = try world.device()
        await documents.setNetworkEnabled(false)
        var writes: [QueuedWrite] = []
        for number in 0..<20 {
            let n: FieldValue = number == 13 ? 500 : .integer(Int64(number))
            writes.append(try await documents.batch().set(documents.document("open/d\(number)"), ["n": n]).enqueue())
        }
        let failures = await documents.failures()
        await documents.setNetworkEnabled(true)
        try await documents.waitForPendingWrites()
        for (number, write) in writes.enumerated() where number != 13 { try await write.confirmation() }
        await #expect(throws: DocumentError.self) { try await writes[13].confirmation() }
        var iterator = failures.makeAsyncIterator()
        #expect(await iterator.next()?.paths == ["open/d13"])
        #expect(try await documents.collection("open").get(source: .server).count == 19)
        #expect(try await documents.collection("open").get(source: .cache).count == 19)
        await documents.close()
    }

    @Test func `a daemon that restarts is found again`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "m/a", "fields": {"n": 1}}"#)
        let documents = try world.device()
        let watched = Watched(documents.collection("m").snapshots())
        #expect(try await eventually { watched.last?.count == 1 })
        await world.daemon.killHard()
        let write = try await documents.batch().set(documents.document("m/b"), ["n": 2]).enqueue()
        #expect(try await eventually { watched.last?.count == 2 })
        try await world.restart()
        try await write.confirmation()
        try await world.commit(#"{"delete": "m/a"}"#)
        #expect(try await eventually { watched.last?.ids == ["b"] && watched.last?.hasPendingWrites == false })
        await watched.stop()
        await documents.close()
    }
}
