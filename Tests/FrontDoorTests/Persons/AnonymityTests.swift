// SPDX-License-Identifier: Apache-2.0

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
@testable import ingestd

@Suite struct AnonymityTests {
    private static let target = "/v1/users/\(PersonWorld.user)/anonymise"

    private static func withWorld<T: Sendable>(
        in folder: TemporaryFolder = TemporaryFolder(), _ body: @Sendable (PersonWorld) async throws -> T
    ) async throws -> T {
        try await PersonWorld.run(in: folder, settings: #"{"private_params": ["note", "unknown"]}"#, body)
    }

    @Test func `anonymising a person changes no count`() async throws {
        let folder = TemporaryFolder()
        try await Self.withWorld(in: folder) { world in
            let before = try await world.figures(of: world.everybody)
            let answer = try await world.live.api.post(Self.target, key: world.everybody.admin, "")
            #expect(try JSON(answer)["events"].number == 225)
            let after = try await world.figures(of: world.everybody)
            for (query, figures) in before { #expect(after[query] == figures, "\(query)") }
            #expect(try Recount(of: folder.path, isRenamed: true).problems == [])
            #expect(try await world.live.api.get("/v1/users/\(PersonWorld.user)", key: world.everybody.read).status == 404)
            #expect(try world.filesNamingAlice() == [])
        }
        try await withStore(in: folder, clock: ManualClock(PersonWorld.start + .days(2)).clock) { store in
            try await store.events.finishDays()
            #expect(try Recount(of: folder.path, isRenamed: true).problems == [])
        }
    }

    @Test func `anonymised events stay without IDs and private parameters, as one person`() async throws {
        try await Self.withWorld { world in
            let (api, keys) = (world.live.api, world.everybody)
            let before = try await api.get("/v1/export", key: keys.read).text.split(separator: "\n")
            _ = try await api.post(Self.target, key: keys.admin, "")
            let after = try await api.get("/v1/export", key: keys.read).text.split(separator: "\n")
            #expect(after.count == before.count)
            for (old, new) in zip(before, after) where !old.contains(PersonWorld.word) { #expect(old == new) }
            let hers = zip(before, after).filter { $0.0.contains(PersonWorld.user) || $0.0.contains(PersonWorld.phone) }
            #expect(hers.count == 225)
            for (old, new) in hers {
                let (old, new) = (try JSON(Array(old.utf8)), try JSON(Array(new.utf8)))
                // Only the kiosk's session, in which others took part, keeps its ID.
                let isShared = old["installation_id"].text == "kiosk"
                #expect(!new["user_id"].exists && new["session_id"].exists == isShared)
                #expect(new["params"].names == old["params"].names.filter { $0 != "note" })
                #expect(new["params"]["n"].number == old["params"]["n"].number && new["id"].text == old["id"].text)
            }
            var persons: Set<UInt64> = []
            for day in try world.live.daemon.store.paths.days() {
                let file = try Connection(world.live.daemon.store.paths.file(of: day), .read)
                let known = try file.statement("SELECT user FROM events WHERE user NOT IN (SELECT key FROM ids) AND user != 0").all { $0.key(0) }
                persons.formUnion(known)
            }
            #expect(persons.count == 1)
        }
    }

    @Test func `later events of an anonymised person belong to a new person`() async throws {
        try await Self.withWorld { world in
            let api = world.live.api
            _ = try await api.post(Self.target, key: world.everybody.admin, "")
            try await world.postAlice()
            let page = try JSON(await api.get("/v1/users/\(PersonWorld.user)?limit=1000", key: world.everybody.read))
            #expect(page["items"].items.count { $0["user_id"].text == PersonWorld.user } == 55)
            #expect(page["properties"].names == [])
            let again = try JSON(await api.post(Self.target, key: world.everybody.admin, ""))
            #expect(again["events"].number == 75)
            #expect(try Recount(of: world.live.folder, isRenamed: true).problems == [])
        }
    }
}
