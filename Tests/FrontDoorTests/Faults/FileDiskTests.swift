// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

/// Files on a disk without a free byte.
@Suite struct FileDiskTests {
    private static let environment = ["INGESTD_STORAGE_MIN_FREE_DISK": "0", "INGESTD_FILES_RESERVE": "0"]

    /// Files of 64 KiB have bytes of their own on the disk, those of 8 KiB are in the database.
    @Test(.enabled(if: SmallDisk.isPossible, "needs root to mount a small disk"), arguments: [64 << 10, 8 << 10])
    func `files are deleted on a full disk, and uploads follow`(size: Int) async throws {
        let disk = try #require(SmallDisk(bytes: 40 << 20))
        let child = try await DaemonProcess.start(in: disk.folder.path, environment: Self.environment)
        let keys = try await child.api.makeApp()
        for number in 0..<40 { #expect(try await Self.put(number, size, child, keys) == 201) }
        try disk.fill()
        #expect(try await Self.put(40, 64 << 10, child, keys) == 503)

        for number in 0..<40 {
            let deleted = try await child.api.request("DELETE", Self.path(number, keys), key: keys.admin)
            #expect(deleted.status == 204, "\(number): \(deleted.text)")
        }
        let left = try JSON(await child.api.get("/v1/files/\(keys.app)", key: keys.admin))
        #expect(left["items"].items.isEmpty)

        try disk.giveBack()
        #expect(try await Self.put(41, 1 << 20, child, keys) == 201)
        #expect(await child.stop() == 0)
    }

    @Test(.enabled("needs strace and the permission to attach it", SystemCallFaults.isPossible))
    func `a command that removes a file says why the server could not, also if a folder has the name`() async throws {
        let folder = TemporaryFolder()
        let child = try await DaemonProcess.start(in: folder.path, environment: Self.environment)
        let keys = try await child.api.makeApp()
        func remove() async throws -> ProgramUnderTest.Ended {
            try await ProgramUnderTest.ingestd.run(["files", "rm", "a", "--app", "\(keys.app)", "--data", folder.path])
        }
        #expect(try await child.api.request("PUT", "/v1/files/\(keys.app)/a/b", key: keys.admin, body: [1]).status == 201)
        #expect(try await remove().complaint.contains("a is a folder."))
        #expect(try await child.api.request("PUT", "/v1/files/\(keys.app)/a", key: keys.admin, body: [1]).status == 201)
        let log = folder.path + "/files.db-wal"
        let faults = try await SystemCallFaults.begin(.init("pwrite64", "EIO", in: [log]), in: child.pid)
        let failed = try await remove()
        await faults.end()
        #expect(failed.code == 1 && failed.complaint.contains("Storage failed"), "\(failed)")
        #expect(try await remove().code == 0)
        #expect(await child.stop() == 0)
    }

    private static func put(_ number: Int, _ size: Int, _ child: DaemonProcess, _ keys: AppKeys) async throws -> Int {
        let bytes = [UInt8](repeating: UInt8(number), count: size)
        return try await child.api.request("PUT", path(number, keys), key: keys.admin, body: bytes).status
    }

    private static func path(_ number: Int, _ keys: AppKeys) -> String { "/v1/files/\(keys.app)/a/\(number)" }
}
