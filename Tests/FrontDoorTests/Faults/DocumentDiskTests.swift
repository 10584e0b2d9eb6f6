// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

/// Documents on a disk that is full.
@Suite struct DocumentDiskTests {
    @Test(.enabled(if: SmallDisk.isPossible, "needs root to mount a small disk"))
    func `a failed commit of documents makes the daemon unready until the disk has room again`() async throws {
        let disk = try #require(SmallDisk(bytes: 6 << 20))
        let child = try await DaemonProcess.start(in: disk.folder.path, environment: ["INGESTD_STORAGE_MIN_FREE_DISK": "0"])
        let keys = try await child.api.makeApp()
        let ballast = disk.folder.path + "/ballast"
        let free = Int(try Folder.freeBytes(at: disk.folder.path))
        try File(ballast, .create).write([UInt8](repeating: 1, count: max(0, free - (256 << 10))))
        #expect(try await child.api.get("/readyz").status == 200)

        var stored = 0
        var refused: Reply?
        while refused == nil, stored < 1_000 {
            let reply = try await Self.commit(stored, child, keys)
            if reply.status == 200 { stored += 1 } else { refused = reply }
        }
        let refusal = try #require(refused)
        #expect(try refusal.status == 503 && JSON(refusal)["code"].text == "storage_full", "\(refusal.text)")
        let unready = try await child.api.get("/readyz")
        #expect(unready.status == 503)
        #expect(try JSON(unready)["reasons"].items.map(\.text) == ["the disk is full"], "\(unready.text)")

        // A commit that needs no new space may succeed, but the disk is as full as before.
        for _ in 0..<3 {
            _ = try await child.api.post("/v1/documents:commit", key: keys.admin, #"{"writes": [{"delete": "a/none"}]}"#)
            #expect(try await child.api.get("/readyz").status == 503)
        }

        // Nothing is sent: whoever forwards requests may wait until the daemon is ready.
        try Folder.remove(ballast)
        #expect(try await eventually { try await child.api.get("/readyz").status == 200 })
        #expect(try await Self.commit(stored, child, keys).status == 200)
        #expect(await child.stop() == 0)
    }

    /// The largest documents have nearly 1 MiB.
    @Test(.enabled(if: SmallDisk.isPossible, "needs root to mount a small disk"), arguments: [8_192, 900_000])
    func `documents are deleted on a disk without a free byte`(bytes: Int) async throws {
        let disk = try #require(SmallDisk(bytes: 40 << 20))
        let child = try await DaemonProcess.start(in: disk.folder.path, environment: ["INGESTD_STORAGE_MIN_FREE_DISK": "0"])
        let keys = try await child.api.makeApp()
        for number in 0..<6 { #expect(try await Self.commit(number, child, keys, bytes: bytes).status == 200) }
        try disk.fill()
        // The log may have room for some.
        var stored = 6
        while stored < 1_000, try await Self.commit(stored, child, keys, bytes: bytes).status == 200 { stored += 1 }
        #expect(stored < 1_000)

        for number in 0..<stored {
            let deleted =
                number == 0
                ? try await child.api.request("DELETE", "/v1/documents/a/0", key: keys.admin)
                : try await child.api.post("/v1/documents:commit", key: keys.admin, #"{"writes": [{"delete": "a/\#(number)"}]}"#)
            #expect([200, 204].contains(deleted.status), "\(number): \(deleted.text)")
        }
        let left = try await child.api.post("/v1/documents:query", key: keys.admin, #"{"from": "a"}"#)
        #expect(try left.status == 200 && JSON(left)["documents"].items.isEmpty, "\(left.text)")

        try disk.giveBack()
        #expect(try await Self.commit(stored, child, keys, bytes: bytes).status == 200)
        #expect(await child.stop() == 0)
    }

    /// One commit of all of them has no room in the log.
    @Test(.enabled(if: SmallDisk.isPossible, "needs root to mount a small disk"))
    func `large documents below another one are deleted with it on a disk without a free byte`() async throws {
        let disk = try #require(SmallDisk(bytes: 64 << 20))
        let child = try await DaemonProcess.start(in: disk.folder.path, environment: ["INGESTD_STORAGE_MIN_FREE_DISK": "0"])
        let keys = try await child.api.makeApp()
        for number in 0..<21 {
            #expect(try await Self.commit(number, child, keys, bytes: 900_000, in: "users/ana/notes").status == 200)
        }
        try disk.fill()

        let deleted = try await child.api.request("DELETE", "/v1/documents/users/ana?recursive=true", key: keys.admin)
        #expect(deleted.status == 204, "\(deleted.text)")
        let left = try await child.api.post("/v1/documents:query", key: keys.admin, #"{"from": "users/ana/notes"}"#)
        #expect(try left.status == 200 && JSON(left)["documents"].items.isEmpty, "\(left.text)")
        #expect(await child.stop() == 0)
    }

    private static func commit(
        _ number: Int, _ child: DaemonProcess, _ keys: AppKeys, bytes: Int = 8_192, in collection: String = "a"
    ) async throws -> Reply {
        let text = String(repeating: "x", count: bytes)
        return try await child.api.post(
            "/v1/documents:commit", key: keys.admin, #"{"writes": [{"set": "\#(collection)/\#(number)", "fields": {"text": "\#(text)"}}]}"#)
    }
}
