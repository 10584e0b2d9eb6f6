// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import AppDirectory
@testable import CrashStore
@testable import EventStore

@Suite struct AttachmentTests {
    private static func file(_ name: String, of report: String, bytes: [UInt8]? = [1, 2, 3], size: Int? = nil) -> CrashAttachment {
        var file = CrashAttachment(name: name, kind: nil, contentType: "image/png", size: size ?? bytes?.count ?? 0, bytes: bytes)
        file.report = report
        return file
    }

    /// Bytes that cannot be compressed.
    private static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededGenerator(seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private static func files(_ world: CrashWorld) async throws -> [StoredAttachment] {
        let rows = try await world.query("SELECT id FROM crashes ORDER BY id") { $0.integer(0) }
        return try await world.crashes.attachments(of: rows).sorted { $0.key < $1.key }.flatMap(\.value)
    }

    private static func take(_ world: CrashWorld, _ files: CrashAttachment..., app: AppID = CrashWorld.app) async throws {
        _ = try await world.crashes.take([], attachments: files, app: app)
    }

    @Test func `a file is stored once with its report, and not without one`() async throws {
        try await CrashWorld.run { world in
            try await world.take("r", "boom")
            let bytes = Array("line\r\n\0".utf8)
            for _ in 0..<2 { try await Self.take(world, Self.file("a.log", of: "r", bytes: bytes)) }
            try await Self.take(
                world, Self.file("a.log", of: "unknown"), Self.file("b.log", of: "r", bytes: bytes), Self.file("empty", of: "r", bytes: []))
            try await Self.take(world, Self.file("c", of: "r"), app: AppID(rawValue: 99))
            let stored = try await Self.files(world)
            #expect(stored.map(\.name) == ["a.log", "b.log", "empty"] && stored.allSatisfy { $0.state == .stored })
            #expect(stored[0].size == 7 && stored[0].contentType == "image/png" && stored[0].kind == "event.attachment")
            let found = try #require(try await world.crashes.attachment(stored[0].row, app: CrashWorld.app))
            #expect(found.bytes == bytes)
            #expect(try await world.crashes.attachment(stored[2].row, app: CrashWorld.app)?.bytes == [])
            #expect(try await world.crashes.attachment(stored[0].row, app: AppID(rawValue: 99)) == nil)
            try await world.expectWhole()
        }
    }

    @Test func `large files and those above a report's limits leave a note`() async throws {
        var bounds = CrashBounds()
        bounds.attachmentBytes = 10
        try await CrashWorld.run(bounds) { world in
            try await world.take("r", "boom")
            try await Self.take(world, Self.file("large", of: "r", bytes: Self.noise(11)), Self.file("cut", of: "r", bytes: nil, size: 90 << 20))
            try await Self.take(world, Self.file("cut", of: "r", bytes: nil, size: 90 << 20), Self.file("fits", of: "r", bytes: Self.noise(10)))
            for number in 0..<40 { try await Self.take(world, Self.file("\(number)", of: "r")) }
            let stored = try await Self.files(world)
            #expect(stored.prefix(3).map(\.state) == [.tooLarge, .tooLarge, .stored] && stored[1].size == 90 << 20)
            #expect(stored.count == 31 && stored[29].state == .stored && stored[30].state == .reportFull && stored[30].name == "27")
            try await world.expectWhole()
        }
    }

    @Test func `the oldest files above the quota are evicted`() async throws {
        var bounds = CrashBounds()
        bounds.attachmentBytesOfApp = 1 << 20
        try await CrashWorld.run(bounds) { world in
            try await world.take("r", "boom")
            for number in 0..<15 { try await Self.take(world, Self.file("\(number)", of: "r", bytes: Self.noise(100_000, seed: UInt64(number)))) }
            for _ in 0..<10 { try await world.crashes.change { _ in } }
            let stored = try await Self.files(world)
            let kept = stored.filter { $0.state == .stored }
            #expect(stored.count == 15 && kept.count < 11 && kept.count > 5 && kept.map(\.name) == stored.suffix(kept.count).map(\.name))
            #expect(stored.dropLast(kept.count).allSatisfy { $0.state == .evicted })
            #expect(try await world.crashes.attachment(stored[0].row, app: CrashWorld.app).map { $0.bytes == nil } == true)
            try await world.expectWhole()
        }
    }

    @Test func `files leave with their report by erasure, retention, deletion of the issue and of the app`() async throws {
        for way in 0..<4 {
            try await CrashWorld.run { world in
                _ = try await world.store.events.createAppWithKeys(named: "a")
                try await world.take("r", "boom", user: "ann")
                try await world.take("other", "boom", user: "bob")
                try await Self.take(world, Self.file("secret", of: "r"), Self.file("other", of: "other"))
                switch way {
                case 0: _ = try await world.store.erase(PersonID(.user, "ann"), of: CrashWorld.app)
                case 1:
                    world.clock.advance(by: .days(91))
                    _ = try await world.store.retain()
                case 2: try await world.crashes.removeIssue(try await world.issue("boom").id, app: CrashWorld.app)
                default:
                    try await world.store.deleteApp(CrashWorld.app)
                    for _ in 0..<20 { try await world.crashes.change { _ in } }
                }
                let names = try await world.query("SELECT name FROM attachments") { $0.text(0) }
                #expect(names == (way == 0 ? ["other"] : []), "\(way)")
                try await world.expectWhole()
            }
        }
    }

    @Test func `anonymisation removes names and bytes`() async throws {
        try await CrashWorld.run { world in
            _ = try await world.store.events.createAppWithKeys(named: "a")
            try await world.take("r", "boom", user: "ann")
            try await Self.take(world, Self.file("ann.png", of: "r"))
            _ = try await world.store.anonymise(PersonID(.user, "ann"), of: CrashWorld.app)
            let stored = try await Self.files(world)
            #expect(stored.map(\.state) == [.anonymized] && stored[0].name == nil && stored[0].size == 3)
            // A client that sends the request again, or a further file, brings nothing back.
            try await world.take("r", "boom", user: "ann")
            try await Self.take(world, Self.file("ann.png", of: "r"), Self.file("more.png", of: "r"))
            #expect(try await Self.files(world).map(\.state) == [.anonymized])
            try await world.expectWhole()
        }
    }
}
