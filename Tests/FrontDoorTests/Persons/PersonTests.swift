// SPDX-License-Identifier: Apache-2.0

import Platform
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

@Suite struct PersonTests {
    @Test func `a user's page has properties, installations and all events, newest first`() async throws {
        try await PersonWorld.run { world in
            let (api, key) = (world.live.api, world.everybody.read)
            let page = try JSON(await api.get("/v1/users/\(PersonWorld.user)?limit=50", key: key))
            #expect(page["user_id"].text == PersonWorld.user)
            #expect(page["properties"]["tier"]["value"].text == "alicesecret-tier")
            #expect(page["installations"].items.map(\.["installation_id"].text) == [PersonWorld.phone, "kiosk"])
            #expect(page["installations"].items.map(\.["alias"].bool) == [true, false])
            #expect(page["first_seen"].text == "2026-07-31T01:00:00.000Z")
            // The time of the alias.
            #expect(page["last_seen"].text == "2026-08-05T09:00:00.000Z")
            var (seqs, times): ([Int], [String]) = ([], [])
            var anonymous = 0
            var after = ""
            repeat {
                let page = try JSON(await api.get("/v1/users/\(PersonWorld.user)?limit=50\(after)", key: key))
                seqs += page["items"].items.filter(\.["seq"].exists).map(\.["seq"].number)
                times += page["items"].items.filter { $0["seq"].exists && $0["user_id"].text == PersonWorld.user }.map(\.["timestamp"].text)
                anonymous += page["items"].items.count { !$0["user_id"].exists && $0["installation_id"].text == PersonWorld.phone }
                after = page["next"].exists ? "&after=\(page["next"].text)" : ""
            } while !after.isEmpty
            #expect(anonymous == 60)
            #expect(times.max().map { $0 <= page["last_seen"].text } == true)
            // Her own events and those of the kiosk without a user.
            let kiosk = try JSON(await api.get("/v1/users/kiosk?by=installation&limit=1000", key: key))["items"].items
            let unnamed = kiosk.count { $0["seq"].exists && !$0["user_id"].exists }
            #expect(unnamed > 0 && seqs.count == 3 * 75 + unnamed)
            #expect(zip(seqs, seqs.dropFirst()).allSatisfy { $0 > $1 })
        }
    }

    @Test func `an installation's page has its users, and unknown IDs get 404`() async throws {
        try await PersonWorld.run { world in
            let (api, key) = (world.live.api, world.everybody.read)
            let kiosk = try JSON(await api.get("/v1/users/kiosk?by=installation", key: key))
            #expect(kiosk["users"].items.map(\.["user_id"].text) == [PersonWorld.user, "user-0"])
            #expect(try await api.get("/v1/users/kiosk", key: key).status == 404)
            #expect(try await api.get("/v1/users/\(PersonWorld.user)?by=installation", key: key).status == 404)
            #expect(try await api.get("/v1/users/\(PersonWorld.user)", key: world.others.admin).status == 404)
            #expect(try await api.get("/v1/users/\(PersonWorld.user)/export", key: world.others.admin).status == 404)
            #expect(try await api.get("/v1/users/\(PersonWorld.user)?by=name", key: key).status == 422)
        }
    }

    @Test func `a person's export contains everything, including quarantined events`() async throws {
        try await PersonWorld.run { world in
            let many = (0..<2_500).map { #"{"id":"m-\#($0)","name":"many","user_id":"\#(PersonWorld.user)"}"# }
            try await world.post(Array(many[..<1_500]), to: world.everybody)
            try await world.post(Array(many[1_500...]), to: world.everybody)
            let whole = try JSON(await world.live.api.get("/v1/users/\(PersonWorld.user)/export", key: world.everybody.admin))
            #expect(whole["properties"]["tier"]["value"].text == "alicesecret-tier")
            let seqs = whole["events"].items.map(\.["seq"].number)
            #expect(Set(seqs).count == seqs.count && seqs.count > 2_500 + 225)
            // All that name the user, and one that names only the user's own phone.
            #expect(whole["quarantined"].items.count == 6)
            let phone = try JSON(
                await world.live.api.get("/v1/users/\(PersonWorld.phone)/export?by=installation", key: world.everybody.admin))
            #expect(phone["events"].items.count == 180 && phone["quarantined"].items.count == 1)
            for query in ["by=user", "by=installation"] {
                let id = query == "by=user" ? PersonWorld.user : PersonWorld.phone
                let target = "/v1/users/\(id)?dry_run=true&\(query)"
                let report = try JSON(await world.live.api.request("DELETE", target, key: world.everybody.admin))
                #expect(report["quarantined"].number == (query == "by=user" ? whole : phone)["quarantined"].items.count)
            }
        }
    }

    @Test func `a person with only quarantined events has an export and can be erased`() async throws {
        try await withDaemon { live in
            let (api, keys) = (live.api, try await live.api.makeApp())
            let body = #"{"user_id": "onlyq", "installation_id": "onlyi", "events": [{"id": "oq", "name": "9bad"}]}"#
            #expect(try Taken(await api.post("/v1/events", key: keys.ingest, body)) == Taken(quarantined: 1))
            for target in ["/v1/users/onlyq/export", "/v1/users/onlyi/export?by=installation"] {
                let whole = try JSON(await api.get(target, key: keys.admin))
                #expect(whole["quarantined"].items.map(\.["id"].text) == ["oq"] && whole["events"].items.isEmpty, "\(target)")
            }
            for target in ["/v1/users/onlyi/export", "/v1/users/nobody/export"] { #expect(try await api.get(target, key: keys.admin).status == 404) }
            #expect(try JSON(await api.request("DELETE", "/v1/users/onlyq", key: keys.admin))["quarantined"].number == 1)
            #expect(try await api.get("/v1/users/onlyq/export", key: keys.admin).status == 404)
        }
    }
}
