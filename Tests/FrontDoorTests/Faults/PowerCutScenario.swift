// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore
@testable import ingestd

/// A daemon whose file changes are recorded while clients use it. Power cuts at random moments are then simulated from the record.
struct PowerCutScenario {
    /// A client's memory at an offset of the journal.
    private struct Memory {
        var place: Int
        var client: any FaultClient
    }

    /// Small WALs and fan-out chunks, so that much happens between syncs.
    private static let environment = [
        "INGESTD_STORAGE_CHECKPOINT_PAGES": "100", "INGESTD_MESSAGES_CHUNK": "3", "INGESTD_STORAGE_MIN_FREE_DISK": "0",
    ]
    private let journal: DiskJournal
    private let root: String
    /// The memories of each client, ascending by offset.
    private let memories: [[Memory]]
    private let sent: Set<String>
    /// The duration of each opening of the store.
    private(set) var openings: [Duration] = []

    /// Records two runs of a daemon with a day switch each; the first ends by a kill, the second by a signal.
    static func record(steps: Int, seed: UInt64) async throws -> PowerCutScenario {
        let folder = TemporaryFolder()
        let shim = FaultShim(watching: folder.path)
        let environment = environment.merging(shim.environment) { $1 }
        var random = SeededGenerator(seed)
        var memories: [[Memory]] = []
        for life in 0..<2 {
            let child = try await DaemonProcess.start(in: folder.path + "/data", environment: environment)
            if memories.isEmpty {
                let clients = try await KillScenario.makeClients(child.api, &random)
                memories = clients.map { [Memory(place: shim.journalBytes, client: $0)] }
            }
            for day in 0..<2 {
                shim.setClock(.seconds(86_400 * (life + day)))
                memories = await work(memories, child.api, shim, steps)
            }
            if life == 0 { memories = await kill(child, memories, shim) } else { _ = await child.stop() }
        }
        return PowerCutScenario(DiskJournal(shim.journal), folder.path, memories)
    }

    /// Kills the daemon from inside, between two changes. A kill from outside could follow a change that is not in the journal.
    private static func kill(_ child: DaemonProcess, _ memories: [[Memory]], _ shim: FaultShim) async -> [[Memory]] {
        shim.kill(at: 1)
        defer { shim.heal() }
        let memories = await work(memories, child.api, shim, 1)
        _ = await child.exitCode()
        return memories
    }

    private init(_ journal: DiskJournal, _ root: String, _ memories: [[Memory]]) {
        self.journal = journal
        self.root = root
        self.memories = memories
        sent = memories.reduce(into: []) { $0.formUnion($1.last?.client.sent ?? []) }
    }

    private static func work(_ memories: [[Memory]], _ api: TestClient, _ shim: FaultShim, _ steps: Int) async -> [[Memory]] {
        await withTaskGroup(of: (Int, [Memory]).self) { group in
            for (place, memory) in memories.enumerated() {
                group.addTask {
                    var memory = memory
                    for _ in 0..<steps {
                        guard var client = memory.last?.client else { break }
                        await client.work(api, requests: 1)
                        memory.append(Memory(place: shim.journalBytes, client: client))
                    }
                    return (place, memory)
                }
            }
            return await group.reduce(into: memories) { $0[$1.0] = $1.1 }
        }
    }

    var moments: Int { journal.entries.count }

    /// Cuts the power once per seed and returns the problems.
    mutating func cut(_ seeds: Range<UInt64>, report: (String) -> Void) async throws -> [String] {
        let cuts = seeds.map { seed in
            var random = SeededGenerator(seed)
            return (seed: seed, moment: Int.random(in: 0...journal.entries.count, using: &random), random: random)
        }
        var (disk, done) = (VolatileDisk(root: root), 0)
        for (number, cut) in cuts.sorted(by: { $0.moment < $1.moment }).enumerated() {
            for entry in journal.entries[done..<cut.moment] { disk.apply(entry) }
            done = cut.moment
            var random = cut.random
            let problems = try await verify(disk, cut.moment, &random, restarts: number % 20 == 19)
            if !problems.isEmpty { return problems.map { "seed \(cut.seed), moment \(cut.moment) of \(moments): \($0)" } }
            if number % 100 == 99 { report("power cut \(number + 1) times, the slowest opening took \(openings.max() ?? .zero)") }
        }
        return []
    }

    private mutating func verify(_ disk: VolatileDisk, _ moment: Int, _ random: inout SeededGenerator, restarts: Bool) async throws -> [String] {
        let folder = TemporaryFolder()
        try disk.cut(into: folder.path, &random)
        let data = folder.path + "/data"
        let place = moment == 0 ? 0 : journal.entries[moment - 1].end
        var clients = memories.compactMap { $0.last { $0.place <= place }?.client }
        do {
            if restarts { try await goOn(&clients, in: data) } else { try await open(data) }
        } catch {
            return ["it cannot be opened: \(error)"]
        }
        return try StoredFolder(of: data).problems(clients, sent: sent)
    }

    /// Opens the store and waits until it is settled.
    private mutating func open(_ data: String) async throws {
        let begin = ContinuousClock.now
        let store = try Stores(data) { fatalError($0) }
        openings.append(ContinuousClock.now - begin)
        async let running: Void = store.run()
        _ = try await eventually { try StoredMessages(of: data).spreading == 0 }
        store.close()
        await running
    }

    /// Lets clients continue from their state with their last request.
    private func goOn(_ clients: inout [any FaultClient], in data: String) async throws {
        let child = try await DaemonProcess.start(in: data, environment: Self.environment)
        for index in clients.indices { await clients[index].work(child.api, requests: 2) }
        _ = try await eventually { try StoredFolder(of: data).isSettled }
        _ = await child.stop()
    }
}
