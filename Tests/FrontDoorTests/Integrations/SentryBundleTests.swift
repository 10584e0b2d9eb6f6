// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Compression
import Crypto
import Database
import Platform
import Symbols
import TestSupport
import Testing

@testable import ingestd

/// Bundles of source maps as `sentry-cli sourcemaps upload` sends them, and releases as `sentry-cli releases` announces them.
@Suite struct SentryBundleTests {
    private static let ids = ("7fd08401-fdfb-4f35-babf-279a338aec19", "a3e1c9d0-7b5d-4a7e-9a4d-1f0e2b3c4d5e")
    private static let boundary = "edge"

    private static func sum(_ bytes: [UInt8]) -> String { Hex.encode(SHA1.hash(bytes)) }

    /// A bundle of a build's file and its map.
    private static func bundle(_ fixture: ScriptFixture, injected: Bool, release: String? = nil) throws -> [UInt8] {
        let id = injected ? #","debug-id":"\#(fixture.debugID)""# : ""
        let head = release.map { #""release":"\#($0)","# } ?? ""
        let manifest =
            #"{\#(head)"files":{"files/_/_/app.min.js":{"type":"minified_source","url":"~/static/app.min.js","headers":{"Sourcemap":"app.min.js.map"\#(id)}},"#
            + #""files/_/_/app.min.js.map":{"type":"source_map","url":"~/static/app.min.js.map","headers":{\#(id.dropFirst())}}}}"#
        let (map, code) = (injected ? try fixture.injected : try fixture.map, try fixture.code)
        func deflated(_ bytes: [UInt8]) -> [UInt8] { Array(gzip(bytes).dropFirst(10).dropLast(8)) }
        var file = ZipFile([
            .init("files/_/_/app.min.js", code, deflated: deflated(code)), .init("files/_/_/app.min.js.map", map, deflated: deflated(map)),
            .init("manifest.json", Array(manifest.utf8)),
        ])
        file.prefix = [0x53, 0x59, 0x53, 0x42, 2, 0, 0, 0]
        return file.bytes
    }

    private static func send(_ piece: [UInt8], _ world: CrashingWorld) async throws {
        let head = "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(sum(piece))\"\r\n\r\n"
        let reply = try await world.api.request(
            "POST", "/api/0/organizations/any/chunk-upload/", key: world.ours.admin, headers: ["Content-Type": "multipart/form-data; boundary=edge"],
            body: Array(head.utf8) + piece + Array("\r\n--edge--\r\n".utf8))
        #expect(reply.status == 200, "\(reply.text)")
    }

    private static func assemble(
        _ bytes: [UInt8], _ world: CrashingWorld, release: String? = nil, dist: String? = nil, projects: String = #"["ours"]"#, as key: String? = nil
    ) async throws -> Reply {
        let named = release.map { #","version":"\#($0)""# } ?? ""
        let distribution = dist.map { #","dist":"\#($0)""# } ?? ""
        let body = #"{"checksum":"\#(sum(bytes))","chunks":["\#(sum(bytes))"],"projects":\#(projects)\#(named)\#(distribution)}"#
        return try await world.api.post("/api/0/organizations/any/artifactbundle/assemble/", key: key ?? world.ours.admin, body)
    }

    private static func upload(_ bytes: [UInt8], _ world: CrashingWorld, release: String? = nil, dist: String? = nil) async throws -> JSON {
        #expect(try JSON(await assemble(bytes, world, release: release, dist: dist))["state"].text == "not_found")
        try await send(bytes, world)
        return try JSON(await assemble(bytes, world, release: release, dist: dist))
    }

    @Test func `bundles with debug IDs resolve functions by their declarations`() async throws {
        try await CrashingWorld.use { world in
            let settings = try JSON(await world.api.get("/api/0/organizations/any/chunk-upload/", key: world.ours.admin))
            #expect(Set(settings["accept"].items.map(\.text)).isSuperset(of: ["artifact_bundles", "artifact_bundles_v2", "debug_files", "proguard"]))
            for (fixture, id) in [(ScriptFixture.first, Self.ids.0), (.second, Self.ids.1)] {
                try await world.send(sentry: fixture.event(id, image: true))
                #expect(try await Self.upload(Self.bundle(fixture, injected: true), world)["state"].text == "ok")
                let event = try await world.resolved(id)
                #expect(event.functions == ScriptFixture.functions && event.places == ScriptFixture.places)
                #expect(event.frames.last?["raw_function"].text == (id == Self.ids.0 ? "b" : "g"))
            }
            let issues = try await world.issues()
            #expect(issues.map(\.["count"].number) == [2] && issues[0]["culprit"].text.contains("checkStock"))
            let listed = try await world.get("/v1/symbols")["items"].items
            #expect(Set(listed.map(\.["debug_id"].text)) == [ScriptFixture.first.debugID, ScriptFixture.second.debugID])
            let bytes = try ScriptFixture.first.injected.count + ScriptFixture.first.code.count
            #expect(listed.contains { $0["bytes"].number == bytes })
            #expect(try StoredCrashes(of: world.live.folder).problems == [])
            // The files go with their IDs.
            for item in listed {
                #expect(try await world.api.request("DELETE", "/v1/symbols/\(item["debug_id"].text)", key: world.ours.admin).status == 204)
            }
            #expect(try Folder.names(in: "\(world.live.symbolFolder)/\(world.ours.app)").isEmpty)
            #expect(try Folder.names(in: world.live.daemon.store.paths.uploads).isEmpty)
        }
    }

    @Test(arguments: [("shop@2.1.0", nil, nil), (nil, nil, "shop@2.1.0"), ("shop@2.1.0", "57", "other")] as [(String?, String?, String?)])
    func `a bundle of a release resolves its files by URL`(release: String?, dist: String?, inside: String?) async throws {
        try await CrashingWorld.use { world in
            let fields = ["release": #""shop@2.1.0""#, "dist": #""57""#]
            try await world.send(sentry: ScriptFixture.first.event(Self.ids.0, fields))
            let bytes = try Self.bundle(ScriptFixture.first, injected: false, release: inside)
            #expect(try await Self.upload(bytes, world, release: release, dist: dist)["state"].text == "ok")
            #expect(try await world.resolved(Self.ids.0).functions == ScriptFixture.functions)
            let listed = try await world.get("/v1/symbols")["items"].items
            #expect(listed.map(\.["release"].text) == ["shop@2.1.0"] && listed[0]["url"].text == "~/static/app.min.js")
            // Another release needs the same bundle again.
            #expect(try JSON(await Self.assemble(bytes, world, release: "shop@2.2.0"))["state"].text == "not_found")
            #expect(try JSON(await Self.assemble(bytes, world, release: release, dist: dist))["state"].text == "not_found")
        }
    }

    @Test func `a damaged map is left out of its bundle and named`() async throws {
        try await CrashingWorld.use { world in
            let broken = Array(#"{"version":3,"sources":["a"],"names":[],"mappings":"!"}"#.utf8)
            let maps = [("a.js.map", broken), ("b.js.map", try ScriptFixture.first.map), ("c.js.map", Array("no map".utf8))]
            func bundle(_ maps: [(String, [UInt8])]) -> [UInt8] {
                let files = maps.map { #""\#($0.0)":{"type":"source_map","url":"~/static/\#($0.0)"}"# }.joined(separator: ",")
                return ZipFile(maps.map { .init($0.0, $0.1) } + [.init("manifest.json", Array(#"{"files":{\#(files)}}"#.utf8))]).bytes
            }
            for _ in 0..<2 {
                let bytes = bundle(maps)
                try await Self.send(bytes, world)
                let state = try JSON(await Self.assemble(bytes, world, release: "1"))
                #expect(state["state"].text == "ok", "\(state.source)")
                let detail = state["detail"].text
                #expect(detail.contains("a.js.map was left out: ") && detail.contains("c.js.map was left out: ") && !detail.contains("b.js.map"))
            }
            #expect(try await world.get("/v1/symbols")["items"].items.map(\.["url"].text) == ["~/static/b.js"])
            #expect(world.live.log.text.contains("left damaged source maps out of a bundle"))
            // Without a readable map nothing is stored.
            let state = try await Self.upload(bundle([maps[0], maps[2]]), world, release: "2")
            #expect(state["state"].text == "error" && state["detail"].text.contains("a.js.map was left out: "), "\(state.source)")
            #expect(try await world.get("/v1/symbols")["items"].items.count == 1)
            #expect(try Folder.names(in: world.live.symbolFolder + "/incoming").isEmpty)
        }
    }

    @Test func `invalid bundles and foreign projects are rejected`() async throws {
        try await CrashingWorld.use { world in
            var broken = ZipFile([.init("manifest.json", Array(#"{"files":{}}"#.utf8))])
            for (bytes, words) in [
                (Array("no archive".utf8), "directory is missing"), (broken.bytes, "no source map"),
                (ZipFile([.init("a", [1])]).bytes, "no manifest"),
                (
                    {
                        broken.entries[0].flags = 1; return broken.bytes
                    }(), "encrypted"
                ),
            ] {
                let state = try await Self.upload(bytes, world)
                #expect(state["state"].text == "error" && state["detail"].text.contains(words), "\(state.source)")
            }
            let bytes = try Self.bundle(ScriptFixture.first, injected: true)
            try await Self.send(bytes, world)
            #expect(try await Self.assemble(bytes, world, projects: #"["theirs"]"#).status == 403)
            #expect(try await Self.assemble(bytes, world, projects: "7").status == 422)
            for key in [world.ours.read, world.ours.ingest] { #expect(try await Self.assemble(bytes, world, as: key).status == 403) }
            // Chunks of one app are not those of another.
            let theirs = try await Self.assemble(bytes, world, projects: #"["theirs"]"#, as: world.theirs.admin)
            #expect(try JSON(theirs)["state"].text == "not_found")
            #expect(try await world.get("/v1/symbols")["items"].items.isEmpty)
            #expect(try Folder.names(in: world.live.symbolFolder + "/incoming").isEmpty)
        }
    }

    @Test func `a bundle that unpacks to more than a symbol file may have is rejected and leaves nothing`() async throws {
        try await CrashingWorld.use(configure: { $0.symbols.fileBytes = 8_192 }) { world in
            let map = Array(#"{"version":3,"x":"\#(String(repeating: " ", count: 6_000))","mappings":""}"#.utf8)
            let packed = Array(gzip(map).dropFirst(10).dropLast(8))
            let names = ["a", "b"]
            let files = names.map { #""\#($0)":{"type":"source_map","url":"~/\#($0).js.map"}"# }.joined(separator: ",")
            let file = ZipFile(
                names.map { .init($0, map, deflated: packed) } + [.init("manifest.json", Array("{\"release\":\"1\",\"files\":{\(files)}}".utf8))])
            let state = try await Self.upload(file.bytes, world)
            #expect(state["state"].text == "error" && state["detail"].text.contains("larger than 8192"))
            #expect(try await world.get("/v1/symbols")["items"].items.isEmpty)
            try await world.live.daemon.symbols.sweep()
            #expect(try Folder.names(in: world.live.symbolFolder + "/incoming").isEmpty)
            #expect(try Folder.names(in: "\(world.live.symbolFolder)/\(world.ours.app)").isEmpty)
        }
    }

    @Test func `a mapping is assembled under the UUID in its name, and source bundles are accepted`() async throws {
        try await CrashingWorld.use { world in
            func assemble(_ bytes: [UInt8], _ name: String) async throws -> JSON {
                let body = #"{"\#(Self.sum(bytes))":{"name":"\#(name)","chunks":["\#(Self.sum(bytes))"]}}"#
                let reply = try await world.api.post("/api/0/projects/any/ours/files/difs/assemble/", key: world.ours.admin, body)
                return try JSON(reply)[Self.sum(bytes)]
            }
            let mapping = try ClassFixture.first.mapping
            try await world.send(sentry: ClassFixture.first.event(Self.ids.0))
            try await Self.send(mapping, world)
            let done = try await assemble(mapping, "/proguard/\(ClassFixture.first.mappingID).txt")
            #expect(done["state"].text == "ok" && done["dif"]["debugId"].text == ClassFixture.first.mappingID)
            #expect(try await world.resolved(Self.ids.0).methods == ClassFixture.places)
            let sources = try Self.bundle(ScriptFixture.first, injected: false)
            try await Self.send(sources, world)
            #expect(try await assemble(sources, "Shop.src.zip")["state"].text == "ok")
            #expect(try await world.get("/v1/symbols")["items"].items.map(\.["format"].text) == ["proguard"])
        }
    }
}

@Suite struct SentryReleaseTests {
    private static let path = "/api/0/organizations/any/releases/"

    private static func change(_ method: String, _ version: String, _ body: String, _ world: CrashingWorld, as key: String? = nil) async throws
        -> Reply
    {
        try await world.api.request(
            method, path + (version.isEmpty ? "" : version.percentEncoded + "/"), key: key ?? world.ours.admin,
            headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    private static func versions(_ world: CrashingWorld, as key: String? = nil) async throws -> [String] {
        let reply = try await world.api.get("/api/0/organizations/any/releases/", key: key ?? world.ours.admin)
        #expect(reply.status == 200)
        return try JSON(reply).items.map(\.["version"].text)
    }

    @Test func `a release is announced, finalized and listed with those of reports`() async throws {
        try await CrashingWorld.use { world in
            #expect(try await Self.versions(world).isEmpty)
            let made = try await Self.change(
                "POST", "", #"{"version":"shop@2.1.0+57","projects":["ours"],"dateStarted":"2026-11-20T08:00:00Z"}"#, world)
            #expect(try made.status == 201 && JSON(made)["dateCreated"].text.hasPrefix("2026-11-20T08:00:00"))
            #expect(try !JSON(made)["dateReleased"].exists)
            let done = try await Self.change("PUT", "shop@2.1.0+57", #"{"projects":["ours"],"dateReleased":"2026-11-21T09:00:00Z"}"#, world)
            #expect(try done.status == 200 && JSON(done)["dateReleased"].text.hasPrefix("2026-11-21T09:00:00"))
            let shown = try await world.api.get(Self.path + "shop%402.1.0%2B57/", key: world.ours.admin)
            #expect(try shown.status == 200 && JSON(shown)["dateCreated"].text.hasPrefix("2026-11-20T08:00:00"))
            #expect(try JSON(shown)["projects"][0]["slug"].text == "ours")
            // A report of the release adds no second entry; one of another release does.
            for release in ["shop@2.1.0+57", "shop@3.0"] { _ = try await world.take(SentCrash().with("release", release)) }
            #expect(try await Self.versions(world).sorted() == ["3.0", "shop@2.1.0+57"])
            #expect(try await world.api.get(Self.path + "shop%403.0/", key: world.ours.admin).status == 200)
            #expect(try await Self.change("DELETE", "shop@2.1.0+57", "", world).status == 204)
            #expect(try await Self.versions(world).sorted() == ["2.1.0", "3.0"])
            #expect(try await Self.versions(world, as: world.theirs.admin).isEmpty)
        }
    }

    @Test func `sentry-cli names a numeric project by a number`() async throws {
        try await CrashingWorld.use { world async throws in
            let number = world.ours.app
            #expect(try await Self.change("POST", "", #"{"version":"z@1","projects":[\#(number)]}"#, world).status == 201)
            #expect(try await Self.change("PUT", "z@1", #"{"projects":[\#(number)]}"#, world).status == 200)
            #expect(try await Self.change("POST", "", #"{"version":"z@2","projects":[999]}"#, world).status == 403)
            for wrong in ["1.5", "true", "[]", "1e400"] {
                #expect(
                    [400, 422].contains(try await Self.change("POST", "", #"{"version":"z@2","projects":[\#(wrong)]}"#, world).status), "\(wrong)")
            }
        }
    }

    @Test func `invalid releases and foreign keys are rejected`() async throws {
        try await CrashingWorld.use { world in
            for version in ["", "a\\u0000", String(repeating: "v", count: 251)] {
                #expect(try await Self.change("POST", "", #"{"version":"\#(version)","projects":["ours"]}"#, world).status == 422)
            }
            for body in ["{", "[]", #"{"version":7}"#, #"{"version":"1","dateReleased":"soon"}"#] {
                let status = try await Self.change("POST", "", body, world).status
                #expect([400, 422].contains(status), "\(body)")
            }
            #expect(try await Self.change("POST", "", #"{"version":"1","projects":["theirs"]}"#, world).status == 403)
            for key in [world.ours.read, world.ours.ingest] {
                #expect(try await Self.change("POST", "", #"{"version":"1"}"#, world, as: key).status == 403)
            }
            #expect(try await world.api.get(Self.path + "unknown/", key: world.ours.admin).status == 404)
            #expect(try await world.api.get("/api/0/projects/any/theirs/releases/", key: world.ours.admin).status == 403)
            #expect(try await Self.versions(world).isEmpty)
        }
    }
}
