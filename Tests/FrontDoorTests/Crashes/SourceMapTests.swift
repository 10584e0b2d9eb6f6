// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Source maps, and events of minified JavaScript as Sentry's SDKs send them.
@Suite struct SourceMapTests {
    private static let ids = (first: "7fd08401-fdfb-4f35-babf-279a338aec19", second: "a3e1c9d0-7b5d-4a7e-9a4d-1f0e2b3c4d5e")
    private static let release = #""shop@2.1.0""#

    @Test func `two builds are one issue once their maps are uploaded`() async throws {
        try await CrashingWorld.use { world in
            for (fixture, id) in [(ScriptFixture.first, Self.ids.first), (.second, Self.ids.second)] {
                try await world.send(sentry: fixture.event(id, image: true))
            }
            #expect(try await world.issues().count == 2)
            let missing = try await world.missing()
            #expect(Set(missing.map(\.["debug_id"].text)) == [ScriptFixture.first.debugID, ScriptFixture.second.debugID])
            #expect(missing.allSatisfy { $0["name"].text == ScriptFixture.page && $0["crashes"].number == 1 })
            for fixture in [ScriptFixture.first, .second] { #expect(try await world.put(fixture.injected, for: fixture.debugID).status == 201) }

            for id in [Self.ids.first, Self.ids.second] {
                let event = try await world.resolved(id)
                #expect(event.places == ScriptFixture.places)
                #expect(event.frames.map(\.["in_app"].bool) == [true, false, true, true, true, true])
                let crashed = try #require(event.frames.last)
                #expect(crashed["context_line"].text == #"    throw new RangeError("out of stock");"#)
                #expect(crashed["pre_context"].items.map(\.text).last == "  if (item.left < amount) {" && crashed["post_context"].items.count == 3)
                #expect(crashed["abs_path"].text == "webpack://shop/./src/stock.js")
            }
            let issues = try await world.issues()
            #expect(issues.map(\.["count"].number) == [2] && issues[0]["culprit"].text.contains("src/stock"))
            #expect(try await world.missing().isEmpty)
            let listed = try await world.get("/v1/symbols")["items"].items
            #expect(listed.map(\.["format"].text) == ["sourcemap", "sourcemap"] && !listed[0]["release"].exists)
        }
    }

    @Test(arguments: [
        ("~/static/app.min.js", nil, ScriptFixture.page), (ScriptFixture.page, nil, ScriptFixture.page + "?v=3#top"),
        ("~/static/app.min.js", "57", ScriptFixture.page), ("~/dist/app.min.js", nil, "app:///dist/app.min.js"),
        ("app:///main.jsbundle", "57", "app:///main.jsbundle"), ("~/srv/app.min.js", nil, "/srv/app.min.js"),
    ])
    func `a map of a release is found by URL, early and late`(url: String, dist: String?, reported: String) async throws {
        try await CrashingWorld.use { world in
            let fields = ["release": Self.release, "dist": #""57""#]
            try await world.send(sentry: ScriptFixture.first.event(Self.ids.first, url: reported, fields))
            let put = try await world.put(ScriptFixture.first.map, release: "shop@2.1.0", url: url, dist: dist)
            #expect(put.status == 201)
            let stored = try JSON(put)["items"][0]
            #expect(stored["release"].text == "shop@2.1.0" && stored["url"].text == url && stored["dist"].text == dist ?? "")
            #expect(try await world.resolved(Self.ids.first).places == ScriptFixture.places)
            try await world.send(sentry: ScriptFixture.first.event(Self.ids.second, url: reported, fields))
            #expect(try await world.resolved(Self.ids.second).places == ScriptFixture.places)
            #expect(try await world.issues().map(\.["count"].number) == [2])

            #expect(try await world.put(ScriptFixture.first.map, release: "shop@2.1.0", url: url, dist: dist).status == 200)
            let id = stored["debug_id"].text
            #expect(try await world.get("/v1/symbols")["items"].items.map(\.["debug_id"].text) == [id])
            #expect(try await world.api.request("DELETE", "/v1/symbols/\(id)", key: world.ours.admin).status == 204)
            #expect(try Folder.names(in: "\(world.live.symbolFolder)/\(world.ours.app)").isEmpty)
        }
    }

    @Test func `a map of another release, distribution, host or app is not used`() async throws {
        try await CrashingWorld.use { world in
            try await world.send(sentry: ScriptFixture.first.event(Self.ids.first, ["release": Self.release, "dist": #""57""#]))
            let map = try ScriptFixture.first.map
            for (release, url, dist, key) in [
                ("shop@2.1.1", "~/static/app.min.js", nil, nil), ("shop@2.1.0", "~/static/app.min.js", "58", nil),
                ("shop@2.1.0", "https://other.example/static/app.min.js", nil, nil), ("shop@2.1.0", "~/static/app.js", nil, nil),
                ("shop@2.1.0", "~/static/app.min.js", nil, world.theirs.admin),
            ] as [(String, String, String?, String?)] {
                #expect(try await world.put(map, release: release, url: url, dist: dist, as: key).status == 201)
            }
            #expect(try await world.put(ScriptFixture.first.injected, for: ScriptFixture.first.debugID, as: world.theirs.admin).status == 201)
            // A later event with its own map is resolved; by then the first one would have been as well.
            #expect(try await world.put(ScriptFixture.second.injected, for: ScriptFixture.second.debugID).status == 201)
            try await world.send(sentry: ScriptFixture.second.event(Self.ids.second, image: true))
            #expect(try await world.resolved(Self.ids.second).places == ScriptFixture.places)
            let event = try #require(try await world.event(Self.ids.first))
            #expect(event["symbols"].text == "missing" && event.functions.last == "b")
            #expect(try await world.missing().map(\.["name"].text) == [ScriptFixture.page])
        }
    }

    @Test func `a report of more scripts than are looked up is symbolicated once`() async throws {
        try await CrashingWorld.use { world in
            let map = try ScriptFixture.first.map
            #expect(try await world.put(map, release: "shop@2.1.0", url: "~/static/app.min.js").status == 201)
            func frame(_ url: String, _ line: Int, _ column: Int, isApp: Bool) -> String {
                #"{"filename":"\#(url)","function":"b","lineno":\#(line),"colno":\#(column),"in_app":\#(isApp)}"#
            }
            // Each file may be stored under four IDs, of which 2,048 are looked up.
            func libraries(_ part: Int) -> [String] {
                (0..<240).map { frame("https://shop.example/lib/\(part)/\($0).js", 1, 1, isApp: false) }
            }
            let crash = try JSON(Array(ScriptFixture.first.event(Self.ids.first).utf8))["exception"]["values"][0]["stacktrace"]["frames"].items.last
            let last = try #require(crash)
            let app = frame(ScriptFixture.page, last["lineno"].number, last["colno"].number, isApp: true)
            let exceptions = (0..<4).map { part in
                let frames = (libraries(part) + (part == 3 ? [app] : [])).joined(separator: ",")
                return #"{"type":"RangeError","value":"\#(part)","stacktrace":{"frames":[\#(frames)]}}"#
            }
            let fields = ["release": Self.release, "dist": #""57""#, "exception": #"{"values":[\#(exceptions.joined(separator: ","))]}"#]
            try await world.send(sentry: ScriptFixture.first.event(Self.ids.first, fields))
            let event = try await world.resolved(Self.ids.first)
            #expect(event["report"]["exceptions"][3]["frames"].items.last?["filename"].text == "src/stock.js")
            #expect(try await world.api.get("/metrics").text.contains("signalbox_crashes_symbolicated_total 1"))
        }
    }

    @Test func `source lines of a map are kept only if the app keeps them`() async throws {
        try await CrashingWorld.use { world in
            let source = try await world.api.request("PATCH", "/v1/app", key: world.ours.admin, body: Array(#"{"source_context":false}"#.utf8))
            #expect(source.status == 200, "\(source.text)")
            #expect(try await world.put(ScriptFixture.first.injected, for: ScriptFixture.first.debugID).status == 201)
            try await world.send(sentry: ScriptFixture.first.event(Self.ids.first, image: true))
            let event = try await world.resolved(Self.ids.first)
            #expect(event.places == ScriptFixture.places)
            #expect(!event.frames.contains { $0["context_line"].exists || $0["pre_context"].exists || $0["post_context"].exists })
        }
    }

    @Test func `code that is not minified is not reported as missing`() async throws {
        try await CrashingWorld.use { world in
            let frame =
                #"{"filename":"app:///server/cart.js","abs_path":"/srv/server/cart.js","function":"checkout","lineno":12,"colno":7,"in_app":true}"#
            let values = #"{"values":[{"type":"Error","value":"no","stacktrace":{"frames":[\#(frame)]}}]}"#
            let event = try ScriptFixture.first.event(Self.ids.first, ["platform": #""node""#, "release": Self.release, "exception": values])
            try await world.send(sentry: event)
            #expect(try await world.missing().isEmpty)
            #expect(try await world.event(Self.ids.first)?["symbols"].text == "complete")
            // It is resolved nevertheless if a map arrives.
            let map = #"{"version":3,"sources":["../src/cart.ts"],"names":[],"mappings":";;;;;;;;;;;AAUA"}"#
            #expect(try await world.put(Array(map.utf8), release: "shop@2.1.0", url: "~/srv/server/cart.js").status == 201)
            let isRead = try await eventually { try await world.event(Self.ids.first)?.places == ["src/cart.ts:11:1"] }
            #expect(isRead)
            #expect(try await world.event(Self.ids.first)?.functions == ["checkout"])
        }
    }

    @Test(arguments: [String(repeating: "g", count: 1 << 20), "!", "AA", "AAAA,AAAAAAA", "AAgggggggggggggB", "\\u0000"])
    func `a map with damaged mappings is rejected and leaves nothing`(mappings: String) async throws {
        try await CrashingWorld.use { world in
            // Its outline passes inspection.
            let map = Array(#"{"version":3,"sources":["a"],"names":[],"mappings":"\#(mappings)"}"#.utf8)
            for reply in [try await world.put(map, for: ScriptFixture.first.debugID), try await world.put(map, release: "1", url: "~/a.js")] {
                #expect(try reply.status == 422 && JSON(reply)["detail"].text.contains("damaged"), "\(reply.text)")
            }
            #expect(try await world.get("/v1/symbols")["items"].items.isEmpty)
            #expect(try Folder.names(in: world.live.symbolFolder + "/incoming").isEmpty)
            #expect(try await world.put(ScriptFixture.first.injected, for: ScriptFixture.first.debugID).status == 201)
        }
    }

    @Test func `a stored map that cannot be read is missing until another replaces it`() async throws {
        try await CrashingWorld.use { world in
            let (fixture, id) = (ScriptFixture.first, Self.ids.first)
            #expect(try await world.put(fixture.injected, for: fixture.debugID).status == 201)
            let folder = "\(world.live.symbolFolder)/\(world.ours.app)"
            let name = try #require(try Folder.names(in: folder).first)
            try Folder.remove(folder + "/" + name)
            try File(folder + "/" + name, .create).write(Array(#"{"version":3,"sources":["a"],"names":[],"mappings":"!"}"#.utf8))
            try await world.send(sentry: fixture.event(id, image: true))
            let isMissing = try await eventually { try await world.event(id)?["symbols"].text == "missing" }
            #expect(isMissing)
            #expect(try await world.event(id)?.functions == ["Object.pay", "a", "e", "c.f", "d", "b"])
            #expect(try await world.missing().map(\.["debug_id"].text) == [fixture.debugID])
            let again = try fixture.injected + [0x0a]
            #expect(try await world.put(again, for: fixture.debugID).status == 200)
            #expect(try await world.resolved(id).places == ScriptFixture.places)
            #expect(try await world.missing().isEmpty)
            #expect(try await world.api.get("/metrics").text.contains("signalbox_crashes_symbolicated_total 2"))
        }
    }

    @Test func `invalid uploads are rejected by name`() async throws {
        try await CrashingWorld.use { world in
            let map = try ScriptFixture.first.map
            #expect(try Wrong(await world.put(map, release: "", url: "~/a.js")) == Wrong(422, "release", "missing"))
            #expect(try Wrong(await world.put(map, release: "1", url: "")) == Wrong(422, "url", "missing"))
            #expect(try Wrong(await world.put(map, release: "1", url: "~/a\u{7}")) == Wrong(422, "url", "too_long"))
            #expect(
                try Wrong(await world.put(map, release: "1", url: "~/a", dist: String(repeating: "d", count: 65))) == Wrong(422, "dist", "too_long"))
            #expect(try await world.api.request("PUT", "/v1/symbols?release=1&url=a&x=1", key: world.ours.admin, body: map).status == 422)
            for key in [world.ours.read, world.ours.ingest] {
                #expect(try await world.put(map, release: "1", url: "~/a", as: key).status == 403)
            }
            for (bytes, words) in [
                (try SymbolFixture.elf.bytes, "not a source map"), (Array("{}      ".utf8), "not a symbol file"),
                (Array(map.dropLast(9)), "damaged"), (try ClassFixture.first.mapping, "not a source map"), ([], "not a symbol file"),
            ] {
                let reply = try await world.put(bytes, release: "1", url: "~/a")
                #expect(try reply.status == 422 && JSON(reply)["detail"].text.contains(words), "\(words): \(reply.text)")
            }
            // A map under another ID than its own, and one without any.
            #expect(try await world.put(ScriptFixture.first.injected, for: ScriptFixture.second.debugID).status == 422)
            #expect(try await world.put(map, for: ScriptFixture.second.debugID).status == 201)
            #expect(try Folder.names(in: world.live.symbolFolder + "/incoming").isEmpty)
        }
    }
}

/// Mappings of R8, and events of Android apps.
@Suite struct ClassMappingUploadTests {
    private static let ids = ("7fd08401-fdfb-4f35-babf-279a338aec19", "a3e1c9d0-7b5d-4a7e-9a4d-1f0e2b3c4d5e")

    @Test func `two builds are one issue once their mappings are uploaded`() async throws {
        try await CrashingWorld.use { world in
            try await world.send(sentry: ClassFixture.first.event(Self.ids.0))
            try await world.send(sentry: ClassFixture.second.event(Self.ids.1))
            #expect(try await world.issues().count == 2)
            #expect(Set(try await world.missing().map(\.["debug_id"].text)) == [ClassFixture.first.mappingID, ClassFixture.second.mappingID])
            for fixture in [ClassFixture.first, .second] {
                #expect(try await world.put(fixture.mapping, for: fixture.mappingID, as: world.theirs.admin).status == 201)
                #expect(try await world.put(fixture.mapping, for: fixture.mappingID).status == 201)
            }
            for id in [Self.ids.0, Self.ids.1] {
                let event = try await world.resolved(id)
                #expect(event.methods == ClassFixture.places)
                #expect(event.frames.map(\.["in_app"].bool) == [true, false, true, true])
                #expect(event["report"]["exceptions"][0]["type"].text == "OutOfStockException")
                #expect(event["report"]["exceptions"][0]["module"].text == "com.shop.stock")
            }
            let issues = try await world.issues()
            #expect(issues.map(\.["count"].number) == [2])
            #expect(issues[0]["title"].text.contains("OutOfStockException") && issues[0]["culprit"].text.contains("Stock.check"))
            #expect(try await world.get("/v1/symbols")["items"].items.allSatisfy { $0["format"].text == "proguard" })
        }
    }

    @Test func `a native report names its mapping as an image`() async throws {
        try await CrashingWorld.use { world in
            #expect(try await world.put(ClassFixture.first.mapping, for: ClassFixture.first.mappingID).status == 201)
            let frames = ClassFixture.first.frames.map {
                #"{"module":"\#($0.module)","function":"\#($0.function)","lineno":\#($0.line),"in_app":true}"#
            }
            let crash = SentCrash("1").with("platform", "java").with("frames", json: "[\(frames.joined(separator: ","))]")
                .with("images", json: #"[{"type":"proguard","debug_id":"\#(ClassFixture.first.mappingID)"}]"#)
            _ = try await world.take(crash)
            let shown = try await world.resolved("1")["report"]["frames"].items
            #expect(shown.map { "\($0["module"].text).\($0["function"].text)" }.last == "com.shop.stock.Stock.check" && shown.count == 4)
        }
    }
}
