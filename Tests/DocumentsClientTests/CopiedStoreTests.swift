// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import TestSupport
import Testing

@testable import SignalboxDocuments

/// A local store that was copied, as with the container of an app or from a backup, and its original.
@Suite struct CopiedStoreTests {
    /// Copies the folder of a closed device.
    private func copy(_ world: DocumentWorld, _ device: String, to other: String) throws {
        let folder = URL(fileURLWithPath: world.appFolder.path)
        try FileManager.default.copyItem(at: folder.appendingPathComponent(device), to: folder.appendingPathComponent(other))
    }

    /// A device that was closed with writes in its queue: three increments of one document. Those of each launch are a batch.
    private func closedPhone(_ world: DocumentWorld, launches: Int = 1) async throws {
        let first = try world.device()
        try await first.document("m/first").set(["n": 1])
        await first.close()
        world.network.goDown()
        for _ in 0..<launches {
            let phone = try world.device()
            await phone.setNetworkEnabled(false)
            for _ in 0..<3 / launches { try await add(1, to: "m/shared", phone) }
            await phone.close()
        }
        world.network.mend()
    }

    @discardableResult
    private func add(_ number: Int, to path: String, _ documents: Documents) async throws -> QueuedWrite {
        try await documents.batch().set(documents.document(path), ["n": .increment(number)], merge: true).enqueue()
    }

    @Test(arguments: [["phone", "tablet"], ["tablet", "phone"]], [1, 3])
    func `a copy and its original lose no write and double none`(order: [String], launches: Int) async throws {
        let world = try await DocumentWorld.start()
        try await closedPhone(world, launches: launches)
        try copy(world, "phone", to: "tablet")
        for name in order {
            let device = try world.device(name)
            try await device.waitForPendingWrites()
            #expect(try await world.fields("m/shared")["n"].number == 3, "\(name) after the copy")
            await device.close()
        }
        // From now on they are two devices.
        for _ in 0..<3 {
            for name in order {
                let device = try world.device(name)
                try await add(1, to: "m/\(name)", device)
                try await add(1, to: "m/shared", device)
                try await device.waitForPendingWrites()
                await device.close()
            }
        }
        for name in order { #expect(try await world.fields("m/\(name)")["n"].number == 3) }
        #expect(try await world.fields("m/shared")["n"].number == 9)
    }

    @Test func `new writes in a copy do not mix with those of before, which the original has sent meanwhile`() async throws {
        let world = try await DocumentWorld.start()
        try await closedPhone(world)
        try copy(world, "phone", to: "tablet")
        let phone = try world.device()
        for _ in 0..<5 { try await (try await add(1, to: "m/phone", phone)).confirmation() }
        world.network.goDown()
        let tablet = try world.device("tablet")
        for _ in 0..<5 { try await add(1, to: "m/tablet", tablet) }
        let failures = Watched(await tablet.failures())
        world.network.mend()
        await tablet.connectNow()
        try await tablet.waitForPendingWrites()
        #expect(try await world.fields("m/shared")["n"].number == 3)
        #expect(try await world.fields("m/phone")["n"].number == 5)
        #expect(try await world.fields("m/tablet")["n"].number == 5)
        #expect(failures.all.isEmpty)
        await phone.close()
        await tablet.close()
    }

    @Test func `a write whose answer was lost before the copy counts once`() async throws {
        let world = try await DocumentWorld.start()
        let phone = try world.device()
        world.network.cut(.beforeTheAnswer)
        try await add(1, to: "m/shared", phone)
        #expect(try await eventually { try await world.fields("m/shared")["n"].number == 1 })
        await phone.close()
        world.network.mend()
        try copy(world, "phone", to: "tablet")
        for name in ["tablet", "phone"] {
            let device = try world.device(name)
            try await add(1, to: "m/\(name)", device)
            try await device.waitForPendingWrites()
            #expect(try await world.fields("m/\(name)")["n"].number == 1)
            await device.close()
        }
        #expect(try await world.fields("m/shared")["n"].number == 1)
    }

    @Test(arguments: [1, 3])
    func `an older state in the place of a newer one reports what it cannot send, and loses nothing of later`(launches: Int) async throws {
        let world = try await DocumentWorld.start()
        try await closedPhone(world, launches: launches)
        try copy(world, "phone", to: "backup")
        let phone = try world.device()
        for _ in 0..<3 { try await (try await add(1, to: "m/phone", phone)).confirmation() }
        await phone.close()
        // The contents of the file are those of the backup, and the file itself is the same.
        let folder = URL(fileURLWithPath: world.appFolder.path)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/phone") {
            let bytes = try? Data(contentsOf: folder.appendingPathComponent("backup/\(name)"))
            let handle = try FileHandle(forWritingTo: folder.appendingPathComponent("phone/\(name)"))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: bytes ?? Data())
            try handle.close()
        }
        world.network.goDown()
        let restored = try world.device()
        let failures = Watched(await restored.failures())
        world.network.mend()
        await restored.connectNow()
        try await restored.waitForPendingWrites()
        #expect(try await eventually { failures.all.count == 3 && failures.all.allSatisfy { $0.error.code == .aborted } })
        #expect(try await world.fields("m/shared")["n"].number == 3)
        try await (try await add(1, to: "m/phone", restored)).confirmation()
        #expect(try await world.fields("m/phone")["n"].number == 4)
        await restored.close()
    }
}
