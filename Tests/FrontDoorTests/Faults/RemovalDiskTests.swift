// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Persons and apps on a disk without a free byte.
@Suite struct RemovalDiskTests {
    @Test(.enabled(if: SmallDisk.isPossible, "needs root to mount a small disk"))
    func `a person is erased and an app deleted on a full disk`() async throws {
        let disk = try #require(SmallDisk(bytes: 40 << 20))
        let child = try await DaemonProcess.start(in: disk.folder.path, environment: ["INGESTD_STORAGE_MIN_FREE_DISK": "0"])
        let keys = try await child.api.makeApp()
        for number in 0..<10 {
            #expect(try await Self.post(number, child, keys).status == 200)
            let set = #"{"writes": [{"set": "a/\#(number)", "fields": {"text": "x"}}]}"#
            #expect(try await child.api.post("/v1/documents:commit", key: keys.admin, set).status == 200)
        }
        try disk.fill()
        // The log may have room for some.
        var stored = 10
        while stored < 1_000, try await Self.post(stored, child, keys).status == 200 { stored += 1 }
        #expect(stored < 1_000)

        let erased = try await child.api.request("DELETE", "/v1/users/ana", key: keys.admin)
        #expect(erased.status == 200, "\(erased.text)")
        #expect(try JSON(erased)["events"].number == stored * 50)
        let deleted = try await ProgramUnderTest.ingestd.run(["app", "delete", "\(keys.app)", "--yes", "--data", disk.folder.path])
        #expect(deleted.code == 0, "\(deleted)")
        #expect(try await child.api.get("/v1/export", key: keys.read).status == 401)
        #expect(await child.stop() == 0)
    }

    /// In one step, the 21 documents have more pages than the cache, and the log no room for them. A log is moved after each three.
    @Test(.enabled(if: SmallDisk.isPossible, "needs root to mount a small disk"))
    func `an app with large documents is deleted on a full disk`() async throws {
        let disk = try #require(SmallDisk(bytes: 64 << 20))
        let child = try await DaemonProcess.start(in: disk.folder.path, environment: ["INGESTD_STORAGE_MIN_FREE_DISK": "0"])
        let keys = try await child.api.makeApp()
        let text = String(repeating: "x", count: 900_000)
        for number in 0..<21 {
            let set = #"{"writes": [{"set": "users/ana/notes/\#(number)", "fields": {"text": "\#(text)"}}]}"#
            #expect(try await child.api.post("/v1/documents:commit", key: keys.admin, set).status == 200)
        }
        try disk.fill()

        let deleted = try await ProgramUnderTest.ingestd.run(["app", "delete", "\(keys.app)", "--yes", "--data", disk.folder.path])
        #expect(deleted.code == 0, "\(deleted)")
        #expect(await child.stop() == 0)
    }

    /// The documents have far more pages than the spare space has room for, which all stores need in turn.
    @Test(.enabled(if: SmallDisk.isPossible, "needs root to mount a small disk"))
    func `a person with large documents is erased on a full disk`() async throws {
        let disk = try #require(SmallDisk(bytes: 64 << 20))
        let child = try await DaemonProcess.start(in: disk.folder.path, environment: ["INGESTD_STORAGE_MIN_FREE_DISK": "0"])
        let keys = try await child.api.makeApp()
        let patterns = Array(#"{"patterns": [{"path": "users/{uid}/**"}]}"#.utf8)
        #expect(try await child.api.request("PUT", "/v1/documents:persons", key: keys.admin, body: patterns).status == 200)
        let text = String(repeating: "x", count: 900_000)
        for number in 0..<21 {
            let set = #"{"writes": [{"set": "users/ana/notes/\#(number)", "fields": {"text": "\#(text)"}}]}"#
            #expect(try await child.api.post("/v1/documents:commit", key: keys.admin, set).status == 200)
        }
        #expect(try await Self.post(0, child, keys).status == 200)
        try disk.fill()

        let erased = try await child.api.request("DELETE", "/v1/users/ana", key: keys.admin)
        #expect(erased.status == 200, "\(erased.text)")
        #expect(try JSON(erased)["documents"].number == 21)
        let left = try await child.api.post("/v1/documents:query", key: keys.admin, #"{"from": "users/ana/notes"}"#)
        #expect(try left.status == 200 && JSON(left)["documents"].items.isEmpty, "\(left.text)")
        #expect(await child.stop() == 0)
    }

    private static func post(_ number: Int, _ child: DaemonProcess, _ keys: AppKeys) async throws -> Reply {
        let filler = String(repeating: "x", count: 90)
        let events = (0..<100).map { index in
            #"{"id": "\#(number)-\#(index)", "name": "a", "user_id": "\#(index % 2 == 0 ? "ana" : "bob")", "params": {"p": "\#(filler)"}}"#
        }
        return try await child.api.post("/v1/events", key: keys.ingest, "[" + events.joined(separator: ",") + "]")
    }
}
