// SPDX-License-Identifier: Apache-2.0

import Events
import Messaging
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct BackupTests {
    private static let sum = String(repeating: "ab", count: 32)

    @Test func `a manifest survives a round trip, also without its count line`() throws {
        let manifest = try BackupManifest(entries: [
            .init(path: "main.db", bytes: 8_192, sha256: Self.sum), .init(path: "events/2026-11-21.db", bytes: 0, sha256: Self.sum),
            .init(path: "symbols/1/\(Self.sum)", bytes: .max, sha256: Self.sum),
        ])
        #expect(BackupManifest(text: manifest.text) == manifest)
        #expect(BackupManifest(text: "")?.entries.isEmpty == true)
        let older = manifest.text.split(separator: "\n").dropFirst().joined(separator: "\n")
        #expect(BackupManifest(text: older) == manifest)
    }

    @Test(arguments: [
        "main.db", "\(sum) main.db", "\(sum) many main.db", "\(sum.dropLast()) 1 main.db", "\(sum.dropLast(2))zz 1 main.db", "\(sum) 1 /etc/passwd",
        "\(sum) 1 ../main.db", "\(sum) 1 events/../../main.db", "\(sum) 99999999999999999999 main.db", "\(sum) 1 main.db\nnonsense",
        "# 2 files\n\(sum) 1 main.db", "# 0 files\n\(sum) 1 main.db", "# 1 files", "# many\n\(sum) 1 main.db", "\(sum) 1 main.db\n# 1 files",
        "\(sum) 1 a name with blanks",
    ])
    func `a malformed manifest or one with a path outside the folder is rejected`(text: String) {
        #expect(BackupManifest(text: text) == nil)
    }

    @Test(arguments: ["../main.db", "..", "events/../../main.db", "/etc/passwd", "events/..", "events//a", ".hidden", "a\u{0}b", "a/b/c/d/e"])
    func `no scalar beside a token lets a path leave the backup`(token: String) {
        for path in HostileText.around(token) {
            #expect(BackupPath(path) == nil, "\(path.debugDescription)")
            #expect(BackupManifest(text: "\(Self.sum) 1 \(path)") == nil, "\(path.debugDescription)")
        }
        for path in HostileText.around("events/2026-11-21.db").dropFirst() { #expect(BackupPath(path) == nil, "\(path.debugDescription)") }
    }

    @Test func `a manifest with paths outside the backup restores nothing`() async throws {
        let (folder, restored) = (TemporaryFolder(), TemporaryFolder())
        let backup = try await Self.makeBackup(in: folder)
        for path in ["../outside", "../\u{301}outside", "..\u{301}/outside", "events/../../\u{600}outside"] {
            let text = try Manifest.text(in: backup).split(separator: "\n").dropFirst().map { $0 + "\n" }.joined()
            try Folder.makeAll("\(backup)/..\u{301}")
            try File("\(backup)/\(path)", .create).write([1])
            try Manifest.write(text + "\(Backup.sum(of: "\(backup)/\(path)")) 1 \(path)\n", in: backup)
            #expect(throws: Refusal.self, "\(path.debugDescription)") { try Backup.restore(backup, into: restored.path + "/data") }
            #expect(try Folder.names(in: restored.path).isEmpty, "\(path.debugDescription)")
            try Folder.remove("\(backup)/\(path)")
            try Manifest.write(text, in: backup)
        }
    }

    /// A data folder with some events, backed up.
    private static func makeBackup(in folder: TemporaryFolder) async throws -> String {
        try await withStore(in: folder) { store in
            var request = SubmissionBuilder(store: store, received: WallClock.system.now())
            for number in 0..<500 { request.add("a", id: "\(number)", user: "u\(number)") }
            #expect(try await store.events.submit(request.submission()).accepted == 500)
            let backup = folder.path + "/backup"
            let manifest = try await store.backUp(to: backup)
            #expect(manifest.entries.contains { $0.path.description == "main.db" } && manifest.entries.count == 9)
            #expect(try Backup.verify(backup) == manifest)
            await #expect(throws: Refusal.self) { try await store.backUp(to: backup) }
            return backup
        }
    }

    @Test func `a restored backup has its data and its dedupe index`() async throws {
        let folder = TemporaryFolder()
        let backup = try await Self.makeBackup(in: folder)
        let restored = TemporaryFolder()
        _ = try Backup.restore(backup, into: restored.path)
        try await withStore(in: restored) { store async throws in
            var request = SubmissionBuilder(store: store, received: WallClock.system.now())
            for number in 499..<501 { request.add("a", id: "\(number)") }
            #expect(try await store.events.submit(request.submission()).accepted == 1)
        }
        #expect(throws: Refusal.self) { try Backup.restore(backup, into: restored.path) }
    }

    /// Registers two devices and publishes a message to both. Returns every number and ID assigned.
    private static func giveNumbers(_ world: MessageWorld, _ round: Int) async throws -> (rows: Set<Int64>, webhooks: Set<String>, last: Int64) {
        let made = try await world.register("webhook-\(round)", at: "https://a.example/\(round)").registration.id
        let stream = try await world.register("stream-\(round)").registration.id
        try await world.publish(to: "webhook-\(round)", "stream-\(round)")
        try await world.finish()
        let claimed = try await world.claim().deliveries
        let waiting = try await world.messages.page(ofStream: stream, after: 0).items.map(\.delivery)
        let deliveries = claimed.filter { $0.registration == made }.map(\.id) + waiting
        #expect(deliveries.count == 2)
        return (Set([made, stream] + deliveries), Set(claimed.map(\.webhookID)), deliveries.max() ?? 0)
    }

    @Test func `device and delivery numbers assigned after a backup are not reused after a restore`() async throws {
        let folder = TemporaryFolder()
        let backup = folder.path + "/backup"
        let (before, lost) = try await MessageWorld.run(in: folder) { world in
            let before = try await Self.giveNumbers(world, 1)
            _ = try await world.store.backUp(to: backup)
            return (before, try await Self.giveNumbers(world, 2))
        }
        let restored = TemporaryFolder()
        _ = try Backup.restore(backup, into: restored.path)
        try await MessageWorld.run(in: restored) { world in
            let again = try await Self.giveNumbers(world, 3)
            #expect(again.rows.isDisjoint(with: before.rows.union(lost.rows)))
            // A cursor from after the backup must not acknowledge later deliveries.
            let stream = try await world.messages.registration(app: MessageWorld.app, token: "stream-3").id
            try await world.messages.acknowledge(stream: stream, through: lost.last)
            #expect(try await world.messages.page(ofStream: stream, after: lost.last).items.count == 1)
            #expect(again.webhooks.isDisjoint(with: lost.webhooks))
            try await world.expectWhole()
        }
    }

    @Test func `event numbers assigned after a backup are not reused after a restore`() async throws {
        let folder = TemporaryFolder()
        let backup = folder.path + "/backup"
        let lost = try await withStore(in: folder) { store async throws in
            try await Self.take(store, "a")
            _ = try await store.backUp(to: backup)
            try await Self.take(store, "b")
            return store.events.gauges.now.lastSeq
        }
        let restored = TemporaryFolder()
        _ = try Backup.restore(backup, into: restored.path)
        try await withStore(in: restored) { store async throws in
            try await Self.take(store, "c")
            let since = try await store.events.events(app: AppID(rawValue: 1), after: lost, from: nil, to: nil, limit: 10)
            #expect(since.events.map(\.id) == ["c"])
        }
    }

    private static func take(_ store: Stores, _ id: String) async throws {
        var request = SubmissionBuilder(store: store, received: WallClock.system.now())
        request.add("a", id: id)
        #expect(try await store.events.submit(request.submission()).accepted == 1)
    }

    @Test func `a changed, truncated or missing file is found before anything is restored`() async throws {
        let folder = TemporaryFolder()
        let backup = try await Self.makeBackup(in: folder)
        let main = backup + "/main.db"
        let whole = try File(main, .read).read(at: 0, count: Int(Folder.size(of: main)))
        var changed = whole
        changed[whole.count / 2] ^= 1
        let restored = TemporaryFolder()
        for broken in [changed, Array(whole.dropLast()), whole + [0]] {
            try File(main, .create).write(broken)
            #expect(throws: Refusal.self) { try Backup.restore(backup, into: restored.path) }
        }
        try Folder.remove(main)
        #expect(throws: Refusal.self) { try Backup.restore(backup, into: restored.path) }
        #expect(!Folder.exists(StorePaths(root: restored.path).main))
        try File(main, .create).write(whole)
        _ = try Backup.restore(backup, into: restored.path)
    }
}

/// A manifest as tests read and change it.
private enum Manifest {
    static func text(in backup: String) throws -> String {
        let path = backup + "/" + BackupManifest.fileName
        return String(decoding: try File(path, .read).read(at: 0, count: Int(Folder.size(of: path))), as: UTF8.self)
    }

    static func read(in backup: String) throws -> BackupManifest {
        try #require(BackupManifest(text: try text(in: backup)))
    }

    static func write(_ text: String, in backup: String) throws {
        try File(backup + "/" + BackupManifest.fileName, .create).write(Array(text.utf8))
    }
}

extension BackupTests {
    @Test func `a truncated manifest and an unlisted file are found before anything is restored`() async throws {
        let (folder, restored) = (TemporaryFolder(), TemporaryFolder())
        let backup = try await Self.makeBackup(in: folder)
        let lines = try Manifest.text(in: backup).split(separator: "\n")
        #expect(lines.count == 10)
        // Both with the line that contains the number of lines, and without it as in the first manifests.
        let shorter = (1..<lines.count).map { lines.prefix($0) } + (2..<lines.count).map { lines[1..<$0] } + [lines[2...]]
        for cut in shorter {
            try Manifest.write(cut.map { $0 + "\n" }.joined(), in: backup)
            #expect(throws: Refusal.self, "\(cut)") { try Backup.verify(backup) }
            #expect(throws: Refusal.self) { try Backup.restore(backup, into: restored.path) }
        }
        try Manifest.write(lines.map { $0 + "\n" }.joined(), in: backup)
        for stray in ["other", "events/2020-01-01.db", "main.db-wal"] {
            try File("\(backup)/\(stray)", .create).write([0])
            let refusal = #expect(throws: Refusal.self) { try Backup.verify(backup) }
            #expect(refusal?.detail == "The manifest does not list \(stray).")
            try Folder.remove("\(backup)/\(stray)")
        }
        #expect(try Folder.names(in: restored.path).isEmpty)
        #expect(try Backup.restore(backup, into: restored.path).entries.count == 9)
    }

    @Test func `a manifest without main.db is rejected`() async throws {
        let folder = TemporaryFolder()
        let backup = try await Self.makeBackup(in: folder)
        let entries = try Manifest.read(in: backup).entries.filter { $0.path.description != "main.db" }
        try Folder.remove(backup + "/main.db")
        try Manifest.write(BackupManifest(entries: entries).text, in: backup)
        #expect(throws: Refusal.self) { try Backup.verify(backup) }
    }

    @Test func `a backup is not restored over existing files, not even a leftover WAL`() async throws {
        let (data, backup, target) = (TemporaryFolder(), TemporaryFolder(), TemporaryFolder())
        _ = try await withStore(in: data) { store in try await store.backUp(to: backup.path) }
        try File(target.path + "/main.db-wal", .create).write([0])
        #expect(throws: Refusal.self) { try Backup.restore(backup.path, into: target.path) }
        try Folder.remove(target.path + "/main.db-wal")
        #expect(try Backup.restore(backup.path, into: target.path).entries.count == 9)
    }

    /// Turns a backup into one of a version that had only events.
    private static func makeOlder(_ backup: String) throws {
        let main = backup + "/main.db"
        try Connection(main, .write).execute("DELETE FROM meta WHERE key = 'files'; PRAGMA journal_mode = DELETE")
        var entries = try Manifest.read(in: backup).entries.filter {
            !["main.db", "messages.db", "crashes.db", "audit.db", "accounts.db", "documents.db", "files.db", "functions.db"].contains(
                $0.path.description)
        }
        entries.append(try .init(path: "main.db", bytes: Folder.size(of: main), sha256: try Backup.sum(of: main)))
        for name in ["messages.db", "crashes.db", "audit.db", "accounts.db", "documents.db", "files.db", "functions.db"] {
            try Folder.remove(backup + "/" + name)
        }
        try Manifest.write(BackupManifest(entries: entries).text, in: backup)
    }

    @Test func `open deliveries are restored, and a folder of events only gets the other files`() async throws {
        let (data, backup, target, older) = (TemporaryFolder(), TemporaryFolder(), TemporaryFolder(), TemporaryFolder())
        let id = try await MessageWorld.run(in: data) { world in
            try await world.register("webhook-token", at: "https://a.example/hook")
            let id = try await world.publish(to: "webhook-token").id
            try await world.finish()
            _ = try await world.store.backUp(to: backup.path)
            return id
        }
        _ = try Backup.restore(backup.path, into: target.path)
        try await MessageWorld.run(in: target) { world in
            #expect(try await world.claim().deliveries.first?.webhookID.hasPrefix(id) == true)
            try await world.expectWhole()
        }
        try Self.makeOlder(backup.path)
        _ = try Backup.restore(backup.path, into: older.path)
        try await MessageWorld.run(in: older) { world async throws in
            #expect(try await world.messages.list(app: MessageWorld.app, before: .max, limit: 10).isEmpty)
            #expect(try await world.register("webhook-token").isNew)
        }
    }
}
