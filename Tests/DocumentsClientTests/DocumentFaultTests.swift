// SPDX-License-Identifier: Apache-2.0

import Foundation
import struct Platform.SeededGenerator
import Signalbox
import TestSupport
import Testing

@testable import SignalboxDocuments

/// Two devices of one user behind a network that comes and goes, is slow, and loses connections, with apps that end and clocks that jump.
@Suite struct DocumentFaultTests {
    /// The number of rounds that `scripts/faults` asks for.
    private static let asked = ProcessInfo.processInfo.environment["SIGNALBOX_FAULT_CLIENT"].flatMap(Int.init)
    private static let rounds = asked ?? 2
    /// The number of batches of ten writes that an app queues before it ends.
    private static let batches = asked == nil ? 400 : 1_000
    private static let seed = ProcessInfo.processInfo.environment["SIGNALBOX_FAULT_SEED"].flatMap(UInt64.init) ?? 1
    private static let steps = 60

    /// One device, with the documents that its writes have made.
    private struct Device {
        let name: String
        var documents: Documents
        var watched: Watched<QuerySnapshot>
        /// The number of each document, in the order of the calls.
        var expected: [String: Int] = [:]
        var increments = 0
        var made = 0
    }

    /// Opens devices of a user who has signed up.
    private func opener(_ world: DocumentWorld, _ clock: Locked<TimeInterval>) async throws -> (String) throws -> Documents {
        let methods = Array(#"{"auth_methods": "password"}"#.utf8)
        try #require(try await world.api.request("PATCH", "/v1/app", key: world.keys.admin, body: methods).status == 200)
        let body = #"{"email": "ana@example.org", "password": "correct horse battery staple"}"#
        let session = try JSON(await world.api.post("/v1/auth/sign-up", key: world.keys.ingest, body))
        let (user, token) = (session["user"]["id"].text, session["id_token"].text)
        try #require(!token.isEmpty)
        return { name in
            try world.device(name) {
                $0.user = user
                $0.idToken = { _ in (user: user, token: token) }
                $0.now = { Date(timeIntervalSinceNow: clock.withLock { $0 }) }
                $0.patience = 0.2
            }
        }
    }

    private func listen(_ documents: Documents) -> Watched<QuerySnapshot> {
        Watched(documents.collection("m").order("n").snapshots(includeMetadataChanges: true))
    }

    @Test func `through network faults, ends of the apps and clock changes each write is applied once and listeners are exact`() async throws {
        for round in 0..<Self.rounds {
            var random = SeededGenerator(Self.seed &+ UInt64(round) << 32)
            try await play(&random, "round \(round) of seed \(Self.seed)")
        }
    }

    private func play(_ random: inout SeededGenerator, _ comment: String) async throws {
        let world = try await DocumentWorld.start()
        let clock = Locked<TimeInterval>(0)
        let open = try await opener(world, clock)
        var devices: [Device] = try ["phone", "tablet"].map {
            let documents = try open($0)
            return Device(name: $0, documents: documents, watched: listen(documents))
        }
        for _ in 0..<Self.steps {
            let index = Int.random(in: 0..<devices.count, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0: world.network.goDown()
            case 1, 2: world.network.mend()
            case 3: world.network.trouble(Forwarder.Trouble(delayMilliseconds: 20, percentOfCuts: 0, seed: random.next()))
            case 4, 5: world.network.trouble(Forwarder.Trouble(delayMilliseconds: 2, percentOfCuts: 20, seed: random.next()))
            case 6: await devices[index].documents.setNetworkEnabled(false)
            case 7, 8: await devices[index].documents.setNetworkEnabled(true)
            case 9: clock.withLock { $0 += [-86_400, -60, 60, 86_400][Int.random(in: 0..<4, using: &random)] }
            case 10: try await relaunch(&devices[index], open, comment)
            default: try await write(&devices[index], &random)
            }
        }
        world.network.mend()
        for device in devices {
            await device.documents.setNetworkEnabled(true)
            await device.documents.connectNow()
            try await device.documents.waitForPendingWrites()
        }
        try await compare(devices, world, comment)
        for device in devices {
            await device.watched.stop()
            await device.documents.close()
        }
        _ = await world.daemon.stop()
    }

    /// Ends the app and starts it again. Its writes stay queued.
    private func relaunch(_ device: inout Device, _ open: (String) throws -> Documents, _ comment: String) async throws {
        await device.watched.stop()
        expectExact(device.watched, comment)
        await device.documents.close()
        device.documents = try open(device.name)
        device.watched = listen(device.documents)
    }

    private func write(_ device: inout Device, _ random: inout SeededGenerator) async throws {
        let documents = device.documents
        let batch = documents.batch().set(documents.document("sums/all"), ["n": .increment(1)], merge: true)
        device.increments += 1
        let known = device.expected.keys.sorted()
        if known.isEmpty || Int.random(in: 0..<2, using: &random) == 0 {
            let id = "\(device.name)-\(device.made)"
            device.made += 1
            device.expected[id] = Int.random(in: 0..<1_000, using: &random)
            try await batch.set(documents.document("m/\(id)"), ["n": .integer(Int64(device.expected[id] ?? 0))]).enqueue()
        } else {
            let id = known[Int.random(in: 0..<known.count, using: &random)]
            if Int.random(in: 0..<3, using: &random) == 0 {
                device.expected[id] = nil
                try await batch.delete(documents.document("m/\(id)")).enqueue()
            } else {
                device.expected[id, default: 0] += 1_000
                try await batch.update(documents.document("m/\(id)"), ["n": .increment(1_000)]).enqueue()
            }
        }
    }

    /// Compares the daemon and both listeners with what the calls have made.
    private func compare(_ devices: [Device], _ world: DocumentWorld, _ comment: String) async throws {
        let expected = devices.reduce(into: [:]) { all, device in all.merge(device.expected) { $1 } }
        #expect(try await world.fields("sums/all")["n"].number == devices.map(\.increments).reduce(0, +), "\(comment)")
        for device in devices {
            let isSame = try await eventually {
                guard let last = device.watched.last, !last.isFromCache, !last.hasPendingWrites else { return false }
                return Self.numbers(last) == expected
            }
            #expect(isSame, "\(comment), \(device.name): \(device.watched.last.map(Self.numbers) ?? [:]) instead of \(expected)")
            expectExact(device.watched, comment)
            let read = try await device.documents.collection("m").get(source: .server)
            #expect(Self.numbers(read) == expected, "\(comment), \(device.name)")
        }
    }

    private static func numbers(_ snapshot: QuerySnapshot) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: snapshot.documents.map { ($0.id, $0["n"]?.int ?? -1) })
    }

    /// Every snapshot is the one before it with its changes, and in order.
    private func expectExact(_ watched: Watched<QuerySnapshot>, _ comment: String) {
        #expect(watched.error == nil, "\(comment)")
        var (list, values): ([String], [String: Int]) = ([], [:])
        for snapshot in watched.all {
            for change in snapshot.changes {
                let id = change.document.id
                if let old = change.oldIndex {
                    let found = list.indices.contains(old) ? list.remove(at: old) : nil
                    #expect(found == id, "\(comment)")
                }
                if let new = change.newIndex {
                    #expect(new <= list.count, "\(comment)")
                    list.insert(id, at: min(new, list.count))
                }
                values[id] = change.newIndex == nil ? nil : change.document["n"]?.int
            }
            #expect(values == Self.numbers(snapshot) && list == snapshot.ids, "\(comment)")
            let order = snapshot.documents.compactMap { $0["n"]?.int }
            #expect(order == order.sorted(), "\(comment)")
        }
    }

    @Test func `thousands of queued writes of an app that ended are applied once over a network that loses connections`() async throws {
        let world = try await DocumentWorld.start()
        // A server's key, as a client without a user may make 100 writes a second.
        let made = try await world.api.asOperator("POST", "/v1/apps/\(world.keys.app)/keys", #"{"role": "data"}"#)
        let key = try JSON(made)["key"].text
        let first = try world.device { $0.key = key }
        await first.setNetworkEnabled(false)
        for call in 0..<Self.batches {
            var batch = first.batch().set(first.document("sums/all"), ["n": .increment(1)], merge: true)
            for number in 0..<9 { batch = batch.set(first.document("m/d\((call * 9 + number) % 500)"), ["n": .increment(1)], merge: true) }
            try await batch.enqueue()
        }
        await first.close()
        world.network.trouble(Forwarder.Trouble(delayMilliseconds: 1, percentOfCuts: 50, seed: Self.seed))
        let second = try world.device { $0.key = key }
        // A request has 500 writes, and arrives with its response in one of four tries at most.
        #expect(try await eventually { world.network.cuts >= Self.batches / 200 })
        world.network.mend()
        await second.connectNow()
        try await second.waitForPendingWrites()
        #expect(try await world.fields("sums/all")["n"].number == Self.batches)
        let numbers = try await second.collection("m").aggregate(["n": .sum("n"), "all": .count])
        #expect(numbers == ["n": .integer(Int64(9 * Self.batches)), "all": .integer(500)])
        await second.close()
    }

    @Test func `queued writes beyond the rate of a client wait and are applied once`() async throws {
        let world = try await DocumentWorld.start()
        let device = try world.device()
        await device.setNetworkEnabled(false)
        // The first thousand may come at once.
        for _ in 0..<3 {
            let batch = (0..<400).reduce(device.batch()) { $0.set(device.document("m/d\($1 % 50)"), ["n": .increment(1)], merge: true) }
            try await batch.enqueue()
        }
        await device.setNetworkEnabled(true)
        try await device.waitForPendingWrites()
        #expect(try await device.collection("m").aggregate(["n": .sum("n"), "all": .count]) == ["n": .integer(1_200), "all": .integer(50)])
        await device.close()
    }
}
