// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

/// The shop of `Tests/Fixtures/sourcemaps` in two builds, and events of it as Sentry's SDKs send them.
struct ScriptFixture: Sendable {
    static let first = ScriptFixture(build: "first", debugID: "8a5e1f3c-0b7d-4c56-9d1f-2b6f0e7a9c34")
    static let second = ScriptFixture(build: "second", debugID: "1b0f3a77-5c1e-4e7d-8f7e-0c2d4a6b8e91")
    static let page = "https://shop.example/static/app.min.js"
    /// The functions of each build, oldest first, and the places of their calls.
    static let functions = ["Object.pay", "runTask", "startPayment", "checkout", "addItem", "checkStock"]
    static let places = [
        "src/main.js:5:12", "node_modules/tiny/index.js:4:10", "src/main.js:7:19", "src/cart.js:10:36", "src/cart.js:16:17", "src/stock.js:6:11",
    ]

    let build: String
    let debugID: String

    var map: [UInt8] { get throws { try file("app.min.js.map") } }
    var code: [UInt8] { get throws { try file("app.min.js") } }

    /// The map with its debug ID, as `sentry-cli sourcemaps inject` writes it.
    var injected: [UInt8] { get throws { try Array(#"{"debug_id":"\#(debugID)","debugId":"\#(debugID)","#.utf8) + map.dropFirst() } }

    private func file(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Fixtures.folder.appendingPathComponent("sourcemaps/\(build)/\(name)")))
    }

    /// An event of a browser. With `image` it names the debug ID of its file.
    func event(_ id: String, url: String = page, image: Bool = false, _ fields: [String: String] = [:]) throws -> String {
        let frames = try JSON(file("stack.json")).items.map { frame in
            #"{"filename":"\#(url)","function":"\#(frame["function"].text)","lineno":\#(frame["lineno"].number),"colno":\#(frame["colno"].number),"in_app":true}"#
        }
        var all = [
            "event_id": #""\#(id)""#, "platform": #""javascript""#, "level": #""error""#,
            "exception":
                #"{"values":[{"type":"RangeError","value":"out of stock","mechanism":{"type":"onerror","handled":false},"stacktrace":{"frames":[\#(frames.joined(separator: ","))]}}]}"#,
        ]
        if image { all["debug_meta"] = #"{"images":[{"type":"sourcemap","code_file":"\#(url)","debug_id":"\#(debugID)"}]}"# }
        return "{" + all.merging(fields) { $1 }.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",") + "}"
    }
}

/// An app of Android in two builds, and events of it as Sentry's SDK sends them.
struct ClassFixture: Sendable {
    static let first = ClassFixture(
        build: "first", mappingID: "6bc20b3c-8f5e-4e16-a4c1-d28f0b7a1e55", exception: "a.c",
        frames: [("com.shop.MainActivity", "a", 7), ("b.a", "run", 1), ("a.a", "b", 4)])
    static let second = ClassFixture(
        build: "second", mappingID: "0fd2a7d1-1f3b-4f0e-9a8b-61a9be1d7c02", exception: "c.d",
        frames: [("com.shop.MainActivity", "b", 3), ("a.b", "run", 2), ("c.b", "a", 1)])
    static let places = [
        "com.shop.MainActivity.pay MainActivity.kt:41", "androidx.core.Runner.run SourceFile:8", "com.shop.cart.Cart.checkout Cart.kt:31",
        "com.shop.stock.Stock.check Stock.kt:11",
    ]

    let build: String
    let mappingID: String
    let exception: String
    let frames: [(module: String, function: String, line: Int)]

    var mapping: [UInt8] { get throws { [UInt8](try Data(contentsOf: Fixtures.folder.appendingPathComponent("mappings/\(build).txt"))) } }

    func event(_ id: String) -> String {
        let frames = frames.map { frame in
            let isOwn = frame.module.hasPrefix("com.shop.") ? #","in_app":true"# : ""
            return #"{"filename":"SourceFile","module":"\#(frame.module)","function":"\#(frame.function)","lineno":\#(frame.line)\#(isOwn)}"#
        }
        let parts = exception.split(separator: ".")
        return #"{"event_id":"\#(id)","platform":"java","level":"fatal","release":"com.shop@2.1.0+57","dist":"57","#
            + #""debug_meta":{"images":[{"type":"proguard","uuid":"\#(mappingID)"}]},"#
            + #""exception":{"values":[{"type":"\#(parts[1])","module":"\#(parts[0])","value":"item 17","#
            + #""mechanism":{"type":"UncaughtExceptionHandler","handled":false},"stacktrace":{"frames":[\#(frames.joined(separator: ","))]}}]}}"#
    }
}

enum Fixtures {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures")
}

extension CrashingWorld {
    /// Sends an event of a Sentry SDK.
    func send(sentry event: String, as key: String? = nil) async throws {
        let key = key ?? ours.ingest
        let app = key == ours.ingest ? ours.app : theirs.app
        let reply = try await api.request("POST", "/api/\(app)/envelope/?sentry_key=\(key)", body: Array("{}\n{\"type\":\"event\"}\n\(event)\n".utf8))
        #expect(reply.status == 200, "\(reply.text)")
    }

    /// Uploads a source map for a release and the URL of the minified file.
    func put(_ map: [UInt8], release: String, url: String, dist: String? = nil, as key: String? = nil) async throws -> Reply {
        let distribution = dist.map { "&dist=\($0.percentEncoded)" } ?? ""
        return try await api.request(
            "PUT", "/v1/symbols?release=\(release.percentEncoded)&url=\(url.percentEncoded)\(distribution)", key: key ?? ours.admin, body: map)
    }

    /// Returns an event after its symbolication, whatever issue it is in by then.
    func resolved(_ id: String, as key: String? = nil) async throws -> JSON {
        let isReadable = try await eventually { try await event(id, as: key)?["symbols"].text == "complete" }
        #expect(isReadable, "\(live.log.text.suffix(300))")
        return try #require(try await event(id, as: key))
    }

    func event(_ id: String, as key: String? = nil) async throws -> JSON? {
        for issue in try await issues(as: key) {
            let reply = try await api.get("/v1/issues/\(issue["id"].text)/events/\(id)", key: key ?? ours.read)
            if reply.status == 200 { return try JSON(reply) }
        }
        return nil
    }
}

extension JSON {
    /// The functions and places of an event's exception, oldest first.
    var functions: [String] { frames.map(\.["function"].text) }
    var places: [String] { frames.map { "\($0["filename"].text):\($0["lineno"].number):\($0["colno"].number)" } }
    /// The same of Java: class, method, file and line.
    var methods: [String] { frames.map { "\($0["module"].text).\($0["function"].text) \($0["filename"].text):\($0["lineno"].number)" } }

    var frames: [JSON] { self["report"]["exceptions"][0]["frames"].items }
}
