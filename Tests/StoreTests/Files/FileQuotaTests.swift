// SPDX-License-Identifier: Apache-2.0

import Files
import Platform
import TestSupport
import Testing

@testable import Database
@testable import FileStore

@Suite struct FileQuotaTests {
    @Test func `an app has no more bytes than its quota, and a replacement counts what it replaces`() async throws {
        try await FileWorld.run(.init(FileWorld.start), .ofTest { $0.appBytes = 100 }) { world in
            try await world.put("a", FileWorld.some(60))
            #expect(await FileWorld.fault { try await world.put("b", FileWorld.some(41)) } == .appQuotaExceeded)
            try await world.put("b", FileWorld.some(40))
            try await world.put("a", FileWorld.some(60, 2))
            #expect(await FileWorld.fault { _ = try await world.create("a", length: 61) } == .appQuotaExceeded)
            try await world.take(world.create("a", length: 60)).cancel()
            // Without a declared length it is judged at the end.
            let larger = try await world.store.begin(world.request("a"))
            try larger.write(FileWorld.some(61, 2).span)
            #expect(await FileWorld.fault { _ = try await larger.finish() } == .appQuotaExceeded)
            try await world.store.delete(FileWorld.path("b"), app: world.app)
            try await world.put("c", FileWorld.some(40))
            try await world.expectRightUsage()
        }
    }

    @Test func `a user has no more bytes than a user's quota, a server has`() async throws {
        try await FileWorld.run(.init(FileWorld.start), .ofTest { $0.userBytes = 100 }) { world in
            try await world.put("a", FileWorld.some(60), owner: "ann")
            #expect(await FileWorld.fault { try await world.put("b", FileWorld.some(41), owner: "ann") } == .userQuotaExceeded)
            try await world.put("b", FileWorld.some(60), owner: "bob")
            try await world.put("server", FileWorld.some(500))
            // A file of another user that is replaced does not count for the user.
            let open = try await world.store.begin(world.request("b", owner: "ann"))
            try open.write(FileWorld.some(41).span)
            #expect(await FileWorld.fault { _ = try await open.finish() } == .userQuotaExceeded)
            #expect(try await world.store.usage(of: world.app, owner: "ann") == FileUsage(bytes: 60, files: 1))
            #expect(try await world.store.usages(of: world.app).map(\.owner) == ["ann", "bob"])
        }
    }

    @Test func `declared lengths are reserved until an upload ends`() async throws {
        try await FileWorld.run(.init(FileWorld.start), .ofTest { $0.appBytes = 100 }) { world in
            var first: UploadTurn? = try await world.store.begin(world.request("a", length: 60))
            #expect(first != nil)
            #expect(await FileWorld.fault { _ = try await world.store.begin(world.request("b", length: 41)) } == .appQuotaExceeded)
            #expect(await FileWorld.fault { _ = try await world.create("b", length: 41) } == .appQuotaExceeded)
            let resumable = try await world.create("b", length: 40)
            #expect(await FileWorld.fault { _ = try await world.store.begin(world.request("c", length: 1)) } == .appQuotaExceeded)
            first = nil
            let again = try await world.store.begin(world.request("a", length: 60))
            try await world.take(resumable).cancel()
            _ = try await world.create("b", length: 40)
            try again.write(FileWorld.some(60).span)
            _ = try await again.finish()
            try await world.expectRightUsage()
        }
    }

    @Test func `a user has a bounded number of open uploads, and so have all together`() async throws {
        try await FileWorld.run(.init(FileWorld.start), .ofTest { ($0.openUploads, $0.openUploadsOfUser) = (5, 2) }) { world in
            for name in ["a", "b"] { _ = try await world.create(name, length: 1, owner: "ann") }
            #expect(await FileWorld.fault { _ = try await world.create("c", length: 1, owner: "ann") } == .tooManyUploads)
            for name in ["c", "d", "e"] { _ = try await world.create(name, length: nil) }
            #expect(await FileWorld.fault { _ = try await world.create("f", length: 1, owner: "bob") } == .tooManyUploads)
            #expect(try await world.store.uploads(of: world.app).count == 5)
        }
    }

    @Test func `a quota bounds the number of files, too`() async throws {
        try await FileWorld.run(.init(FileWorld.start), .ofTest { $0.userBytes = 1_000 }) { world in
            for n in 0..<100 { try await world.put("a\(n)", [], owner: "ann") }
            #expect(await FileWorld.fault { try await world.put("b", [], owner: "ann") } == .userQuotaExceeded)
            // A replacement adds none.
            try await world.put("a0", [1], owner: "ann")
            try await world.put("b", [], owner: "bob")
            #expect(await FileWorld.fault { try await world.put("b", [], owner: "ann") } == .userQuotaExceeded)
            try await world.store.delete(FileWorld.path("a1"), app: world.app)
            try await world.put("b", [], owner: "ann")
            try await world.expectRightUsage()
        }
    }

    @Test func `a user reserves a tenth of the app's space at most, or one file`() async throws {
        try await FileWorld.run(.init(FileWorld.start), .ofTest { ($0.appBytes, $0.fileBytes) = (1_000, 60) }) { world in
            _ = try await world.create("a", length: 60, owner: "ann")
            _ = try await world.create("b", length: 40, owner: "ann")
            #expect(await FileWorld.fault { _ = try await world.create("c", length: 1, owner: "ann") } == .tooManyUploads)
            let later = try await world.take(world.create("c", length: nil, owner: "ann"))
            #expect(await FileWorld.fault { try await later.declare(1) } == .tooManyUploads)
            _ = try await world.create("c", length: 60, owner: "bob")
            for name in ["d", "e", "f"] { _ = try await world.create(name, length: 60) }
            try await world.expectRightUsage()
        }
    }

    @Test func `users of an address share its places, and each gets one`() {
        func user(_ uid: String) -> UploadClient.User { .init(app: AppID(rawValue: 1), uid: uid) }
        var uploads = AddressUploads()
        func add(_ uid: String?, _ count: Int = 1) -> Int { (0..<count).filter { _ in uploads.add(uid.map { user($0) }, most: 10) }.count }
        #expect(add("ann", 8) == 8 && add("bob", 8) == 2 && add("ann") == 0)
        #expect((0..<200).filter { add("user\($0)", 2) == 1 }.count == 90)
        #expect(add(nil, 20) == 10)
        // A user who has ended all uploads gets another one.
        for _ in 0..<2 { uploads.remove(user("bob")) }
        #expect(add("bob", 2) == 1)
        for _ in 0..<8 { uploads.remove(user("ann")) }
        for n in 0..<90 { uploads.remove(user("user\(n)")) }
        uploads.remove(user("bob"))
        #expect(!uploads.isEmpty)
        for _ in 0..<10 { uploads.remove(nil) }
        #expect(uploads.isEmpty)
    }

    @Test func `uploads are refused while the disk has less than the reserve`() async throws {
        let free = Int(try Folder.freeBytes(at: "/tmp"))
        try await FileWorld.run(.init(FileWorld.start), .ofTest { $0.reserveBytes = free + 1 << 40 }) { world in
            #expect(await FileWorld.fault { _ = try await world.store.begin(world.request("a", length: 1)) } == .diskReserve)
            #expect(await FileWorld.fault { _ = try await world.create("a", length: 1) } == .diskReserve)
            let path = try FileWorld.path("a")
            #expect(await FileWorld.fault { _ = try await world.store.copy(path, to: path, app: world.app) } == .diskReserve)
        }
    }

    @Test func `a link is valid until its time, or until it is revoked`() async throws {
        let clock = ManualClock(FileWorld.start)
        try await FileWorld.run(clock) { world in
            let path = try FileWorld.path("a")
            try await world.put("a", [1])
            let link = try await world.store.makeLink(to: path, app: world.app, expires: clock.now + .hours(1), disposition: .inline)
            let revocable = try await world.store.makeLink(to: path, app: world.app, expires: clock.now + .hours(1), isRevocable: true)
            let read = try #require(FileLink(app: world.app, path: path, parameters: revocable.parameters(world.store.linkKey), world.store.linkKey))
            #expect(read == revocable)
            for link in [link, revocable] { #expect(try await world.store.isValid(link)) }
            let id = try #require(revocable.revocable)
            #expect(try await !world.store.revokeLink(id, to: FileWorld.path("b"), app: world.app))
            #expect(try await world.store.revokeLink(id, to: path, app: world.app))
            #expect(try await !world.store.revokeLink(id, to: path, app: world.app))
            #expect(try await !world.store.isValid(revocable))
            for _ in 0..<100 { _ = try await world.store.makeLink(to: path, app: world.app, expires: clock.now + .hours(1), isRevocable: true) }
            let more = await FileWorld.fault {
                _ = try await world.store.makeLink(to: path, app: world.app, expires: clock.now + .hours(1), isRevocable: true)
            }
            #expect(more == .tooManyLinks)
            clock.advance(by: .hours(1))
            #expect(try await !world.store.isValid(link))
            _ = try await world.store.makeLink(to: path, app: world.app, expires: clock.now + .hours(1), isRevocable: true)
        }
    }
}
