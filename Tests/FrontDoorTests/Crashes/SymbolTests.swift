// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization
import TestSupport
import Testing

@testable import ingestd

/// Crashes and their symbolication.
@Suite struct SymbolTests {
    @Test(arguments: [SymbolFixture.elf, SymbolFixture.arm])
    func `a crash is shown at once and symbolicated when its symbols are uploaded`(_ build: SymbolFixture.Build) async throws {
        try await CrashingWorld.use { world in
            let issue = try await world.take(build.crash("1").from("ann"))
            #expect(try await world.take(build.crash("2").from("bob")) == issue)
            let bare = try await world.crash("1", of: issue)
            #expect(bare["symbols"].text == "missing" && bare["report"]["frames"].items.count == 2)
            #expect(bare["report"]["frames"].items.allSatisfy { !$0["function"].exists })
            let before = try await world.issue(issue)
            let missing = try await world.missing()
            #expect(missing.count == 1 && missing[0]["debug_id"].text == build.debugID && missing[0]["crashes"].number == 2)
            #expect(missing[0]["name"].text == "/app/Shop" && missing[0]["architecture"].text == build.architecture)

            let put = try await world.put(build)
            #expect(put.status == 201)
            #expect(try JSON(put)["items"][0]["debug_id"].text == build.debugID)
            for id in ["1", "2"] { #expect(try await ShownFrame.of(world.readable(id, of: issue)) == ShownFrame.probe) }
            let after = try await world.issue(issue)
            #expect(after["culprit"].text != before["culprit"].text && after["culprit"].text.contains("price"))
            #expect([after["count"], after["users"]].map(\.number) == [2, 2] && after["history"][0]["what"].text == "symbolicated")
            #expect(try await world.issues().count == 1)
            #expect(try await world.missing().isEmpty)
            // A later crash joins the issue once it is symbolicated.
            #expect(try Taken(await world.send(build.crash("3"))) == Taken(accepted: 1))
            #expect(try await ShownFrame.of(world.readable("3", of: issue)) == ShownFrame.probe)
            #expect(try await world.issues().map(\.["count"].number) == [3])
        }
    }

    @Test func `missing symbols are listed in pages, those of most crashes first`() async throws {
        try await CrashingWorld.use { world in
            for crash in [SymbolFixture.arm.crash("1"), SymbolFixture.elf.crash("2"), SymbolFixture.elf.crash("3")] {
                _ = try await world.take(crash)
            }
            let first = try await world.get("/v1/symbols/missing?limit=1")
            #expect(first["items"].items.map(\.["debug_id"].text) == [SymbolFixture.elf.debugID])
            let second = try await world.get("/v1/symbols/missing?limit=1&after=\(first["next"].text)")
            #expect(second["items"].items.map(\.["debug_id"].text) == [SymbolFixture.arm.debugID] && !second["next"].exists)
            #expect(try await world.api.get("/v1/symbols/missing?after=1", key: world.ours.read).status == 422)
        }
    }

    @Test func `a crash with known symbols is symbolicated after its response`() async throws {
        try await CrashingWorld.restart { world in
            #expect(try await world.put(SymbolFixture.elf).status == 201)
            let listed = try await world.get("/v1/symbols")["items"].items
            #expect(listed.count == 1 && listed[0]["format"].text == "elf" && listed[0]["bytes"].number == 3_064)
            let issue = try await world.take(SymbolFixture.elf.crash("1"))
            #expect(try await ShownFrame.of(world.readable("1", of: issue)) == ShownFrame.probe)
            #expect(try await world.missing().isEmpty)
        } then: { world in
            // The first symbolicated crash names the issue, and the next one joins it.
            let issue = try await world.issues()[0]["id"].text
            let reply = try await world.send(SymbolFixture.elf.crash("2"))
            let second = try JSON(reply)["results"][0]["issue"].text
            #expect(try await ShownFrame.of(world.readable("2", of: second)) == ShownFrame.probe)
            #expect(try await world.crash("2", of: issue)["issue"].text == issue)
            let issues = try await world.issues()
            #expect(issues.map(\.["id"].text) == [issue] && issues[0]["count"].number == 2)
            #expect(try await world.issue(second)["id"].text == issue)
        }
    }

    @Test(arguments: [
        "/apex/com.android.runtime/lib64/bionic/libc.so", "/system/lib64/libart.so", "/vendor/lib64/egl/libGLES.so",
        "/usr/lib/x86_64-linux-gnu/libc.so.6", #"C:\\Windows\\System32\\ntdll.dll"#,
    ])
    func `system images are not reported as missing, and symbolicated if uploaded`(path: String) async throws {
        try await CrashingWorld.use { world in
            let issue = try await world.take(SymbolFixture.elf.crash("1", path: path))
            #expect(try await world.missing().isEmpty)
            #expect(try await world.crash("1", of: issue)["symbols"].text != "missing")
            #expect(try await world.put(SymbolFixture.elf).status == 201)
            let next = try await world.take(SymbolFixture.elf.crash("2", path: path))
            #expect(try await ShownFrame.of(world.readable("2", of: next)) == ShownFrame.probe)
        }
    }

    @Test func `an app's crashes are not symbolicated with another app's symbols`() async throws {
        try await CrashingWorld.use { world in
            #expect(try await world.put(SymbolFixture.elf, as: world.theirs.admin).status == 201)
            let issue = try await world.take(SymbolFixture.elf.crash("1"))
            let theirs = try await world.take(SymbolFixture.elf.crash("1"), as: world.theirs.ingest)
            // Once theirs is symbolicated, ours would have been as well.
            let isRead = try await eventually {
                try await world.get("/v1/issues/\(theirs)/events/1", as: world.theirs.read)["symbols"].text == "complete"
            }
            #expect(isRead)
            let ours = try await world.crash("1", of: issue)
            #expect(ours["symbols"].text == "missing" && ours["report"]["frames"].items.allSatisfy { !$0["function"].exists })
            #expect(try await world.missing().count == 1)
            #expect(try await world.missing(as: world.theirs.read).isEmpty)
            #expect(try await world.get("/v1/symbols")["items"].items.isEmpty)
            let remove = try await world.api.request("DELETE", "/v1/symbols/\(SymbolFixture.elf.debugID)", key: world.ours.admin)
            #expect(remove.status == 404)
        }
    }

    @Test func `symbols beyond the report's size go to the crashed stack, and the report keeps its user`() async throws {
        try await CrashingWorld.use { world in
            let (id, name) = ("7193bee0-742a-21db-8cc9-05fce5275ed0", String(repeating: "n", count: 250))
            let module = "MODULE Linux x86_64 \(id.filter { $0 != "-" }.uppercased())0 Shop"
            let file = "\(module)\nFILE 0 /src/\(name).c\nFUNC 800 100 0 \(name)\n800 100 7 0\n"
            #expect(try await world.put(Array(file.utf8), for: id).status == 201)
            let frames = Array(repeating: #"{"instruction_addr":"0x100810"}"#, count: 110).joined(separator: ",")
            let threads = (0..<256).map { #"{"crashed":\#($0 == 3),"frames":[\#(frames)]}"# }.joined(separator: ",")
            let image = #"[{"type": "elf", "debug_id": "\#(id)", "image_addr": "0x100000", "image_size": 4096}]"#
            let crash = SentCrash("1").from("victim").with("frames", json: nil).with("threads", json: "[\(threads)]").with("images", json: image)
            let issue = try await world.take(crash)
            let shown = try await world.readable("1", of: issue)["report"]["threads"].items
            try #require(shown.count == 256)
            #expect(shown[3]["frames"].items.allSatisfy { $0["function"].text == name && $0["lineno"].number == 7 })
            #expect(shown[4]["frames"].items.count == 110 && shown[4]["frames"].items.allSatisfy { !$0["function"].exists })
            let export = try await world.api.get("/v1/users/victim/export", key: world.ours.admin)
            #expect(try JSON(export)["crashes"].items.count == 1)
            #expect(try await world.post("/v1/users/victim/anonymise", "").status == 200)
            #expect(try await !world.crash("1", of: issue)["report"]["user_id"].exists)
        }
    }

    @Test func `a removed symbol file is not used and can be uploaded again`() async throws {
        try await CrashingWorld.use { world in
            let id = SymbolFixture.arm.debugID
            #expect(try await world.put(SymbolFixture.arm).status == 201)
            let bytes = try SymbolFixture.arm.bytes
            #expect(try await world.put(bytes, for: id.uppercased().replacing("-", with: "")).status == 200)
            #expect(try await world.get("/v1/symbols")["items"].items.count == 1)
            let issue = try await world.take(SymbolFixture.arm.crash("1"))
            _ = try await world.readable("1", of: issue)
            #expect(try await world.api.request("DELETE", "/v1/symbols/\(id)", key: world.ours.admin).status == 204)
            #expect(try await world.api.request("DELETE", "/v1/symbols/\(id)", key: world.ours.admin).status == 404)
            #expect(try await world.get("/v1/symbols")["items"].items.isEmpty)
            #expect(try Folder.names(in: "\(world.live.symbolFolder)/\(world.ours.app)").isEmpty)
            // Symbolicated crashes stay symbolicated, and new ones miss their symbols.
            let next = try await world.take(SymbolFixture.arm.crash("2"))
            #expect(try await world.crash("2", of: next)["symbols"].text == "missing")
            #expect(try await world.issues().contains { $0["culprit"].text.contains("price") })
            #expect(try await world.put(SymbolFixture.arm).status == 201)
            #expect(try await ShownFrame.of(world.readable("2", of: next)) == ShownFrame.probe)
            #expect(try await world.issues().map(\.["count"].number) == [2])
        }
    }
}

/// A machine without the symbolizer.
@Suite struct UnreadSymbolTests {
    @Test func `without the symbolizer a crash stays unsymbolicated, and the shutdown does not wait`() async throws {
        let end = Mutex<ContinuousClock.Instant?>(nil)
        try await CrashingWorld.use(configure: { $0.crashes.symbolizer = "/nowhere/llvm-symbolizer" }) { world in
            #expect(try await world.put(SymbolFixture.elf).status == 201)
            let issue = try await world.take(SymbolFixture.elf.crash("1"))
            #expect(try await eventually { world.live.log.text.contains("failed to symbolicate crashes") })
            let crash = try await world.crash("1", of: issue)
            #expect(crash["symbols"].text == "waiting" && crash["report"]["frames"].items.count == 2)
            end.withLock { $0 = .now }
        }
        let bodyEnded = end.withLock { $0 }
        #expect(try ContinuousClock.now - #require(bodyEnded) < .seconds(20))
    }

    @Test func `a crash with Breakpad symbols is symbolicated before those that need the program`() async throws {
        try await CrashingWorld.use(configure: { $0.crashes.symbolizer = "/nowhere/llvm-symbolizer" }) { world in
            let text = "MODULE mac arm64 \(SymbolFixture.arm.debugID.filter { $0 != "-" }.uppercased())0 Shop\nFUNC 200 200 0 pay\n"
            #expect(try await world.put(Array(text.utf8), for: SymbolFixture.arm.debugID).status == 201)
            #expect(try await world.put(SymbolFixture.elf).status == 201)
            #expect(try await world.send([SymbolFixture.elf.crash("1"), SymbolFixture.arm.crash("2")]).status == 200)
            let issues = try await world.issues().map(\.["id"].text)
            let isRead = try await eventually {
                for issue in issues where try await world.api.get("/v1/issues/\(issue)/events/2", key: world.ours.read).text.contains(#""pay""#) {
                    return true
                }
                return false
            }
            #expect(isRead)
        }
    }
}

/// The daemon as a process, which demangles names.
@Suite struct ReadableNameTests {
    @Test func `names are shown demangled`() async throws {
        let folder = TemporaryFolder()
        let daemon = try await DaemonProcess.start(in: folder.path)
        let keys = try await daemon.api.makeApp()
        let build = SymbolFixture.arm
        let sent = try await daemon.api.post("/v1/crashes", key: keys.ingest, "[\(build.crash("1").json)]")
        let issue = try JSON(sent)["results"][0]["issue"].text
        #expect(try await daemon.api.request("PUT", "/v1/symbols/\(build.debugID)", key: keys.admin, body: build.bytes).status == 201)
        let isReadable = try await eventually {
            try await daemon.api.get("/v1/issues/\(issue)/events/1", key: keys.read).text.contains(#""function":"shop::price(int)""#)
        }
        #expect(isReadable)
        #expect(try await daemon.api.get("/v1/issues", key: keys.read).text.contains(#""culprit":"shop::price"#))
        #expect(await daemon.stop() == 0)
    }
}
