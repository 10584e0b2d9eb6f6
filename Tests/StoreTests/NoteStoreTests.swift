// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import AppDirectory
@testable import Database
@testable import EventStore

/// A further store takes part in all cross-store steps by one line where stores are opened.
@Suite struct NoteStoreTests {
    private static let opening: [Stores.OpenCompanion] = [{ shared, directory, _ in try NoteStore(shared, directory) }]

    private static func notes(of store: Stores) throws -> NoteStore { try #require(store.companions.last as? NoteStore) }

    private static func using<T: Sendable>(
        _ folder: TemporaryFolder, _ body: @Sendable (Stores, NoteStore) async throws -> T
    ) async throws -> T {
        try await withStore(in: folder, opening: opening) { try await body($0, notes(of: $0)) }
    }

    /// Makes two apps with a note each of the user "ann" and one of "bob".
    private static func fill(_ store: Stores, _ notes: NoteStore) async throws -> [AppID] {
        var apps: [AppID] = []
        for name in ["first", "second"] {
            let app = try await store.events.createAppWithKeys(named: name).0.id
            for user in ["ann", "bob"] {
                _ = try await notes.add("\(user) of \(name)", by: PersonID(.user, user).key(in: app, store.events.hash), app: app)
            }
            apps.append(app)
        }
        return apps
    }

    @Test func `notes survive a restart`() async throws {
        let folder = TemporaryFolder()
        let apps = try await Self.using(folder) { try await Self.fill($0, $1) }
        try await Self.using(folder) { _, notes async throws in
            #expect(try await notes.notes(app: apps[0]) == ["ann of first", "bob of first"])
        }
    }

    @Test func `a deleted app's notes are removed`() async throws {
        try await Self.using(TemporaryFolder()) { store, notes async throws in
            let apps = try await Self.fill(store, notes)
            try await store.deleteApp(apps[0])
            #expect(try await notes.notes(app: apps[0]) == [])
            #expect(try await notes.notes(app: apps[1]) == ["ann of second", "bob of second"])
        }
    }

    @Test func `an erased person's notes are removed in one app`() async throws {
        try await Self.using(TemporaryFolder()) { store, notes async throws in
            let apps = try await Self.fill(store, notes)
            #expect(try await store.erase(PersonID(.user, "ann"), of: apps[0], dryRun: true)[.notes] == 1)
            #expect(try await store.erase(PersonID(.user, "ann"), of: apps[0])[.notes] == 1)
            #expect(try await notes.notes(app: apps[0]) == ["bob of first"])
            #expect(try await notes.notes(app: apps[1]) == ["ann of second", "bob of second"])
        }
    }

    @Test func `a backup contains the notes and restores them`() async throws {
        let (backup, restored) = (TemporaryFolder(), TemporaryFolder())
        let apps = try await Self.using(TemporaryFolder()) { store, notes async throws in
            let apps = try await Self.fill(store, notes)
            let manifest = try await store.backUp(to: backup.path + "/copy")
            #expect(manifest.entries.contains { $0.path.description == NoteStore.fileName })
            return apps
        }
        _ = try Backup.restore(backup.path + "/copy", into: restored.path)
        try await withStore(in: restored, opening: Self.opening) { store async throws in
            let notes = try Self.notes(of: store)
            #expect(try await notes.notes(app: apps[1]) == ["ann of second", "bob of second"])
        }
    }
}
