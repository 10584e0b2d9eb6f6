// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FunctionStore
import Platform
import Synchronization
import TestSupport
import Testing

@testable import FileStore
@testable import ingestd

/// Files that stay unreadable until a function allows them.
@Suite struct FilePendingTests {
    private static let rules = "rules_version = '2'; service firebase.storage { match /b/{bucket}/o { match /{file=**} { allow read, write; } } }"
    private static let allow = WebhookSink.Manner.status(200, "Content-Type: application/json", body: #"{"allow": true}"#)
    private static let deny = WebhookSink.Manner.status(200, "Content-Type: application/json", body: #"{"result": {"allow": false}}"#)

    private static func put(_ api: TestClient, _ target: String, _ key: String, _ body: String) async throws -> Reply {
        try await api.request("PUT", target, key: key, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    /// Lets anyone with a key write, and new files below `uploads/` wait for `scan`.
    private static func setUp(_ api: TestClient, _ keys: AppKeys) async throws {
        #expect(try await put(api, "/v1/files-rules", keys.admin, #"{"source": "\#(rules)"}"#).status == 200)
        let set = try await put(api, "/v1/files:pending", keys.admin, #"{"rules": [{"prefix": "uploads/", "pending_until": "scan"}]}"#)
        #expect(set.status == 200, "\(set.text)")
    }

    private static func upload(_ api: TestClient, _ keys: AppKeys, _ path: String, _ bytes: [UInt8], key: String? = nil) async throws -> Reply {
        try await api.request("PUT", "/v1/files/\(keys.app)/\(path)", key: key ?? keys.ingest, headers: ["Content-Type": "image/png"], body: bytes)
    }

    private static func get(_ api: TestClient, _ keys: AppKeys, _ path: String, key: String? = nil) async throws -> Reply {
        try await api.get("/v1/files/\(keys.app)/\(path)", key: key ?? keys.ingest)
    }

    private static func waiting(_ api: TestClient, _ keys: AppKeys) async throws -> [JSON] {
        try await JSON(api.get("/v1/files:pending", key: keys.admin))["items"].items
    }

    private static func reaches(_ state: String, _ world: FunctionWorld) async throws -> Bool {
        try await eventually { try await waiting(world.api, world.keys).map(\.["state"].text) == [state] }
    }

    private static func decide(_ world: FunctionWorld, _ path: String, _ generation: String, _ allow: Bool, key: String? = nil) async throws -> Int {
        let body = #"{"path": "\#(path)", "generation": \#(generation), "allow": \#(allow)}"#
        return try await world.api.post("/v1/files:pending", key: key ?? world.keys.admin, body).status
    }

    // MARK: Copies

    private static func restore(_ api: TestClient, _ keys: AppKeys, _ line: [UInt8]) async throws -> Reply {
        try await api.request("POST", "/v1/files:import", key: keys.admin, headers: ["Content-Type": "application/x-ndjson"], body: line)
    }

    @Test(arguments: [100, 40_000]) func `an imported file that waits is allowed by the function of its new app`(size: Int) async throws {
        try await FunctionWorld.use(answer: { _ in Self.allow }) { world async throws in
            let (api, keys, bytes) = (world.api, world.keys, someBytes(size))
            try await Self.setUp(api, keys)
            #expect(try await Self.upload(api, keys, "uploads/a", bytes).status == 202)
            let page = try JSON(await api.get("/v1/files:export?pending=1", key: keys.admin))
            #expect(page["items"].items.count == 1 && !page["settings"].exists)
            let line = Array(page["items"][0].source.utf8)
            let generation = page["items"][0]["file"]["generation"].source
            let kept = try await api.get("/v1/files/\(keys.app)/uploads/a?pending=\(generation)", key: keys.admin)
            #expect(kept.body == bytes)

            let copy = try await api.makeApp("copy")
            let missing = try JSON(await Self.restore(api, copy, line))
            #expect(missing["missing"].items.count == 1)
            let sent = try await api.request("PUT", "/v1/files:import", key: copy.admin, body: line + [0x0a] + bytes)
            #expect(try sent.status == 200 && JSON(sent)["pending_until"].text == "scan", "\(sent.text)")
            let again = try JSON(await Self.restore(api, copy, line))
            #expect(again["files"].number == 1 && again["missing"].items.isEmpty)
            #expect(try await Self.get(api, copy, "uploads/a", key: copy.admin).status == 404)

            let scan = #"{"url": "\#(world.sink.url("/scan"))"}"#
            #expect(try await Self.put(api, "/v1/functions/scan", copy.admin, scan).status == 201)
            #expect(try await eventually { try await Self.get(api, copy, "uploads/a", key: copy.admin).body == bytes })
            // An import that is run again does not let it wait again.
            let decided = try JSON(await Self.restore(api, copy, line))
            #expect(decided["files"].number == 1 && decided["missing"].items.isEmpty)
            #expect(try await Self.waiting(api, copy).isEmpty)
            // The other app has no such function.
            #expect(try await Self.waiting(api, keys).map(\.["state"].text) == ["no_function"])
        }
    }

    // MARK: Decisions

    @Test(arguments: [100, 40_000]) func `a file is hidden until its function allows it`(size: Int) async throws {
        try await FunctionWorld.use(answer: { $0.path == "/scan" ? Self.allow : .status(200) }) { world async throws in
            let (api, keys, bytes) = (world.api, world.keys, someBytes(size))
            try await Self.setUp(api, keys)
            try await world.put("after", #""triggers": [{"on": "file", "path": "uploads/{name}", "what": "finalized"}]"#)
            let sent = try await Self.upload(api, keys, "uploads/a", bytes)
            #expect(try sent.status == 202 && JSON(sent)["pending_until"].text == "scan", "\(sent.text)")
            let generation = try String(Int64(JSON(sent)["generation"].number))
            for key in [keys.ingest, keys.admin] {
                #expect(try await Self.get(api, keys, "uploads/a", key: key).status == 404)
                #expect(try await Self.get(api, keys, "uploads/a?info=1", key: key).status == 404)
                #expect(try await JSON(api.get("/v1/files/\(keys.app)?prefix=uploads/", key: key))["items"].items.isEmpty)
            }
            #expect(try await Self.get(api, keys, "uploads/a?pending=\(generation)").status == 403)
            #expect(try await Self.get(api, keys, "uploads/a?pending=\(generation)", key: keys.admin).body == bytes)
            #expect(try await Self.get(api, keys, "uploads/a?pending=1", key: keys.admin).status == 404)
            let item = try #require(await Self.waiting(api, keys).first)
            #expect(item["state"].text == "no_function" && item["file"]["path"].text == "uploads/a" && item["file"]["pending_until"].text == "scan")
            #expect(try await JSON(api.get("/v1/files:usage", key: keys.read))["bytes"].number == size)
            // The function appears.
            try await world.put("scan")
            let isReadable = try await eventually { try await Self.get(api, keys, "uploads/a").body == bytes }
            #expect(isReadable)
            #expect(try await Self.waiting(api, keys).isEmpty)
            #expect(try await world.settled("after", 1), "a trigger learns of it when it is readable")
            let hook = try #require(world.sink.hooks(to: "/scan").first)
            let run = try JSON(hook.body)
            #expect(run["type"].text == "file.pending" && run["data"]["path"].text == "uploads/a" && run["data"]["file"]["type"].text == "image/png")
            #expect(String(Int64(run["data"]["generation"].number)) == generation && world.sink.hooks(to: "/scan").count == 1)
            #expect(try await !JSON(Self.get(api, keys, "uploads/a?info=1"))["pending_until"].exists)
            #expect(try await JSON(api.get("/v1/files:usage", key: keys.read))["files"].number == 1)
        }
    }

    @Test func `the file that is there stays readable until the new one is allowed`() async throws {
        try await FunctionWorld.use(answer: { _ in Self.allow }) { world async throws in
            let (api, keys) = (world.api, world.keys)
            try await Self.setUp(api, keys)
            #expect(try await Self.upload(api, keys, "uploads/a", [1], key: keys.admin).status == 201, "files of servers do not wait")
            #expect(try await Self.upload(api, keys, "uploads/a", [2]).status == 202)
            #expect(try await Self.get(api, keys, "uploads/a").body == [1])
            // A later version takes the place of one that waits.
            #expect(try await Self.upload(api, keys, "uploads/a", [3]).status == 202)
            #expect(try await Self.waiting(api, keys).count == 1)
            try await world.put("scan")
            let isReplaced = try await eventually { try await Self.get(api, keys, "uploads/a").body == [3] }
            #expect(isReplaced)
            let usage = try await JSON(api.get("/v1/files:usage", key: keys.read))
            #expect(usage["bytes"].number == 1 && usage["files"].number == 1)
        }
    }

    @Test func `a file that its function refuses is deleted, and the log says so`() async throws {
        try await FunctionWorld.use(answer: { _ in Self.deny }) { world async throws in
            let (api, keys) = (world.api, world.keys)
            try await Self.setUp(api, keys)
            #expect(try await Self.upload(api, keys, "uploads/a", [1], key: keys.admin).status == 201)
            try await world.put("scan")
            #expect(try await Self.upload(api, keys, "uploads/a", someBytes(40_000)).status == 202)
            let isGone = try await eventually { try await Self.waiting(api, keys).isEmpty }
            #expect(isGone)
            let isLogged = try await eventually {
                try await api.get("/v1/functions/scan/logs", key: keys.read).text.contains("refused uploads/a, which is deleted")
            }
            #expect(isLogged)
            #expect(try await Self.get(api, keys, "uploads/a").body == [1])
            #expect(try await JSON(api.get("/v1/files:usage", key: keys.read))["bytes"].number == 1)
        }
    }

    @Test func `a file whose function is dead or says nothing waits for an administrator`() async throws {
        let isDead = ##"{"error": {"status": "INVALID_ARGUMENT", "message": "no"}}"##
        try await FunctionWorld.use(answer: {
            String(decoding: $0.body, as: UTF8.self).contains("uploads/dead") ? .status(400, body: isDead) : .status(200, body: "{}")
        }) {
            world async throws in
            let (api, keys) = (world.api, world.keys)
            try await Self.setUp(api, keys)
            try await world.put("scan")
            let dead = try await String(Int64(JSON(Self.upload(api, keys, "uploads/dead", [1]))["generation"].number))
            #expect(try await Self.reaches("dead", world))
            #expect(try await Self.waiting(api, keys)[0]["run"].text.hasPrefix("run_"))
            #expect(try await Self.decide(world, "uploads/dead", "1", true) == 404)
            #expect(try await Self.decide(world, "uploads/dead", dead, true, key: keys.ingest) == 403)
            #expect(try await Self.decide(world, "uploads/dead", dead, true) == 200)
            #expect(try await Self.decide(world, "uploads/dead", dead, true) == 404)
            #expect(try await Self.get(api, keys, "uploads/dead").body == [1])
            let silent = try await String(Int64(JSON(Self.upload(api, keys, "uploads/silent", [2]))["generation"].number))
            #expect(try await Self.reaches("no_answer", world))
            #expect(try await Self.decide(world, "uploads/silent", silent, false) == 204)
            #expect(try await Self.waiting(api, keys).isEmpty)
            #expect(try await Self.get(api, keys, "uploads/silent").status == 404)
        }
    }

    @Test func `runs about a file in the folder of a person belong to the person, whoever stored it`() async throws {
        try await FunctionWorld.use(answer: { _ in .status(200, body: "{}") }) { world async throws in
            let (api, keys) = (world.api, world.keys)
            try await Self.setUp(api, keys)
            let wait = #"{"rules": [{"prefix": "people/", "pending_until": "scan"}]}"#
            #expect(try await Self.put(api, "/v1/files:pending", keys.admin, wait).status == 200)
            #expect(try await Self.put(api, "/v1/files:persons", keys.admin, #"{"paths": ["people/{uid}/"]}"#).status == 200)
            try await world.put("scan")
            try await world.put("after", #""triggers": [{"on": "file", "path": "{path=**}", "what": "finalized"}]"#)
            #expect(try await Self.upload(api, keys, "people/ann/a", [1]).status == 202)
            #expect(try await Self.upload(api, keys, "people/bob/b", [1], key: keys.admin).status == 201)
            #expect(try await Self.upload(api, keys, "people/c", [1], key: keys.admin).status == 201)
            #expect(try await world.settled("scan", 1))
            #expect(try await world.settled("after", 2))
            #expect(try await world.runs("scan").map(\.["user"].text) == ["ann"])
            #expect(try await world.runs("after").map(\.["user"].text).sorted() == ["", "bob"])
            for user in ["ann", "bob"] {
                let erased = try JSON(await api.request("DELETE", "/v1/users/\(user)", key: keys.admin))
                #expect(erased["runs"].number == 1 && erased["files"].number == 1)
            }
            #expect(try await world.runs("scan").isEmpty)
            #expect(try await world.runs("after").map(\.["subject"].text) == ["people/c"])
        }
    }

    @Test func `an answer decides wherever it has allow, unless it is too long`() async throws {
        let answers = ["data": #"{"data": {"seen": 1}, "allow": true}"#, "result": #"{"result": {"allow": true}}"#]
        let long = #"{"allow": true, "more": "\#(String(repeating: "x", count: 4 << 10))"}"#
        try await FunctionWorld.use(answer: { hook in
            let body = String(decoding: hook.body, as: UTF8.self)
            let answer = answers.first { body.contains("uploads/\($0.key)") }?.value ?? long
            return .status(200, "Content-Type: application/json", body: answer)
        }) { world async throws in
            let (api, keys) = (world.api, world.keys)
            try await Self.setUp(api, keys)
            try await world.put("scan")
            for path in ["data", "result", "long"] { #expect(try await Self.upload(api, keys, "uploads/\(path)", [1]).status == 202) }
            #expect(try await Self.reaches("no_answer", world))
            #expect(try await Self.waiting(api, keys).map(\.["file"]["path"].text) == ["uploads/long"])
        }
    }

    @Test func `a redrive of a dead run decides about the file`() async throws {
        let isUp = Atomic(false)
        try await FunctionWorld.use(answer: { _ in isUp.load(ordering: .relaxed) ? Self.allow : .status(503) }) { world async throws in
            let (api, keys) = (world.api, world.keys)
            try await Self.setUp(api, keys)
            try await world.put("scan")
            #expect(try await Self.upload(api, keys, "uploads/a", [1]).status == 202)
            #expect(try await Self.reaches("dead", world))
            let run = try await Self.waiting(api, keys)[0]["run"].text
            isUp.store(true, ordering: .relaxed)
            #expect(try await api.post("/v1/runs/\(run)/retry", key: keys.send, "").status == 200)
            let isReadable = try await eventually { try await Self.get(api, keys, "uploads/a").body == [1] }
            #expect(isReadable)
        }
    }

    @Test func `an app with too many runs does not keep files of others waiting`() async throws {
        try await FunctionWorld.use(
            retries: [.hours(20)], configure: { $0.store.functions.waitingRuns = 1 },
            answer: { $0.path == "/scan" ? Self.allow : .status(503) }
        ) { world async throws in
            let (api, keys) = (world.api, world.keys)
            try await Self.setUp(api, keys)
            try await world.put("fails")
            try await world.task("fails")
            #expect(try await world.settled("fails", 1, in: "retrying"))
            try await world.put("scan")
            #expect(try await Self.upload(api, keys, "uploads/a", [1]).status == 202)
            // The apps are looked at in any order.
            for name in ["b", "c", "d", "e"] {
                let other = try await api.makeApp(name)
                try await Self.setUp(api, other)
                let scan = #"{"url": "\#(world.sink.url("/scan"))"}"#
                #expect(try await Self.put(api, "/v1/functions/scan", other.admin, scan).status == 201)
                #expect(try await Self.upload(api, other, "uploads/\(name)", [2]).status == 202)
                let isReadable = try await eventually { try await Self.get(api, other, "uploads/\(name)").body == [2] }
                #expect(isReadable, "\(name)")
            }
            #expect(try await Self.waiting(api, keys).map(\.["state"].text) == ["waiting"])
        }
    }

    // MARK: Ways around

    @Test func `copies, Firebase's uploads and links do not pass by the function`() async throws {
        try await withDaemon { live in
            let (api, keys) = (live.api, try await live.api.makeApp())
            try await Self.setUp(api, keys)
            #expect(try await Self.upload(api, keys, "free", [1]).status == 201)
            let copy = try await api.request("POST", "/v1/files/\(keys.app)/free?copy_to=uploads/copy", key: keys.ingest)
            #expect(copy.status == 202, "\(copy.text)")
            let firebase = try await api.request(
                "POST", "/v0/b/\(keys.app)/o?name=uploads%2Ffirebase", key: keys.ingest, headers: ["Content-Type": "image/png"], body: [2])
            #expect(try firebase.status == 200 && !JSON(firebase)["downloadTokens"].exists, "\(firebase.text)")
            #expect(try await Self.waiting(api, keys).map(\.["file"]["path"].text) == ["uploads/copy", "uploads/firebase"])
            #expect(try await api.get("/v0/b/\(keys.app)/o/uploads%2Ffirebase?alt=media", key: keys.ingest).status == 404)
            let link = try await JSON(api.post("/v1/files/\(keys.app)/uploads/copy?link", key: keys.admin, "{}"))["url"].text
            let generation = try await String(Int64(Self.waiting(api, keys)[0]["file"]["generation"].number))
            #expect(try await api.get(link).status == 404)
            #expect(try await [401, 403].contains(api.get("\(link)&pending=\(generation)").status))
            #expect(try await Self.get(api, keys, "uploads/copy?pending=\(generation)", key: keys.read).status == 403)
            // A file of a server takes the place of one that waits.
            #expect(try await Self.upload(api, keys, "uploads/copy", [3], key: keys.admin).status == 201)
            #expect(try await Self.waiting(api, keys).count == 1)
            #expect(try await Self.decide(api, keys, "uploads/copy", generation) == 404)
        }
    }

    private static func decide(_ api: TestClient, _ keys: AppKeys, _ path: String, _ generation: String) async throws -> Int {
        try await api.post("/v1/files:pending", key: keys.admin, #"{"path": "\#(path)", "generation": \#(generation), "allow": true}"#).status
    }

    @Test func `the longest prefix applies, and wrong rules are refused`() async throws {
        try await withDaemon { live in
            let (api, keys) = (live.api, try await live.api.makeApp())
            try await Self.setUp(api, keys)
            let rules = [("", "all"), ("a/", "inner"), ("a/b/", "innermost")].map { #"{"prefix": "\#($0.0)", "pending_until": "\#($0.1)"}"# }
            #expect(try await Self.put(api, "/v1/files:pending", keys.admin, #"{"rules": [\#(rules.joined(separator: ","))]}"#).status == 200)
            for (path, function) in [("x", "all"), ("a/x", "inner"), ("a/b/x", "innermost"), ("a/bx", "inner")] {
                #expect(try await JSON(Self.upload(api, keys, path, [1]))["pending_until"].text == function)
            }
            #expect(
                try await JSON(api.get("/v1/files:pending", key: keys.admin))["rules"].items.map(\.["pending_until"].text) == [
                    "all", "inner", "innermost",
                ])
            let wrong = [
                "{}", #"{"rules": [{"prefix": "a", "pending_until": "f"}]}"#, #"{"rules": [{"prefix": "a/../", "pending_until": "f"}]}"#,
                #"{"rules": [{"prefix": "a/", "pending_until": "1 f"}]}"#, #"{"rules": [{"prefix": "a/"}]}"#,
                #"{"rules": [{"prefix": "a/", "pending_until": "f"}, {"prefix": "a/", "pending_until": "g"}]}"#,
            ]
            for body in wrong { #expect(try await Self.put(api, "/v1/files:pending", keys.admin, body).status == 422, "\(body)") }
            // Without rules new files do not wait; those that do go on to wait.
            #expect(try await Self.put(api, "/v1/files:pending", keys.admin, #"{"rules": []}"#).status == 200)
            #expect(try await Self.upload(api, keys, "y", [1]).status == 201)
            #expect(try await Self.waiting(api, keys).count == 4)
        }
    }

    // MARK: Time and persons

    @Test func `a file waits over a restart`() async throws {
        let folder = TemporaryFolder()
        let bytes = someBytes(40_000)
        let keys = try await withDaemon(in: folder) { live in
            let keys = try await live.api.makeApp()
            try await Self.setUp(live.api, keys)
            #expect(try await Self.upload(live.api, keys, "uploads/a", bytes).status == 202)
            return keys
        }
        let sink = try WebhookSink { _ in Self.allow }
        try await withDaemon(in: folder, configure: { $0.functions.addresses = ["127.0.0.0/8"].compactMap(AddressRange.init) }) { live in
            #expect(try await Self.get(live.api, keys, "uploads/a").status == 404)
            #expect(try await Self.put(live.api, "/v1/functions/scan", keys.admin, #"{"url": "\#(sink.url("/scan"))"}"#).status == 201)
            let isReadable = try await eventually { try await Self.get(live.api, keys, "uploads/a").body == bytes }
            #expect(isReadable)
        }
    }

    @Test func `an erasure takes files of the user that wait, and nobody else replaces them`() async throws {
        try await RuleWorld.use { accounts, client async throws in
            let (api, keys) = (client.live.api, client.keys)
            try await Self.setUp(api, keys)
            let (ann, bob) = (try await accounts.user(), try await accounts.user("bob@example.org"))
            #expect(try await Self.upload(api, keys, "uploads/a", someBytes(40_000), key: ann.token).status == 202)
            #expect(try await Self.upload(api, keys, "uploads/a", [2], key: bob.token).status == 412)
            #expect(try await Self.upload(api, keys, "uploads/b", [2], key: bob.token).status == 202)
            let export = try await JSON(api.get("/v1/users/\(ann.id)/export", key: keys.admin))
            #expect(export["files"].items.map(\.["path"].text) == ["uploads/a"] && export["files"].items[0]["pending_until"].text == "scan")
            let erased = try await api.request("DELETE", "/v1/users/\(ann.id)", key: keys.admin)
            #expect((200..<300).contains(erased.status), "\(erased.text)")
            let isErased = try await eventually { try await Self.waiting(api, keys).map(\.["file"]["path"].text) == ["uploads/b"] }
            #expect(isErased)
            #expect(try await JSON(api.get("/v1/files:usage", key: keys.read))["bytes"].number == 1)
        }
    }
}
