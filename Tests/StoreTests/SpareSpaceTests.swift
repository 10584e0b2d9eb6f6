// SPDX-License-Identifier: Apache-2.0

import Database
import Glibc
import Platform
import TestSupport
import Testing

@Suite struct SpareSpaceTests {
    @Test func `the spare space is taken also where a copy of the data folder has a hole`() throws {
        let folder = TemporaryFolder()
        let paths = StorePaths(root: folder.path)
        try File(paths.spareSpace, .create).truncate(to: SpareSpace.bytes)
        #expect(Self.bytesTaken(paths.spareSpace) == 0)
        SpareSpace(paths).allocate()
        #expect(Self.bytesTaken(paths.spareSpace) >= SpareSpace.bytes)
        SpareSpace(paths).release()
        #expect(!Folder.exists(paths.spareSpace))
        SpareSpace(paths).keep()
        #expect(Self.bytesTaken(paths.spareSpace) >= SpareSpace.bytes)
    }

    /// The space that a file takes on the disk.
    private static func bytesTaken(_ path: String) -> Int64 {
        var info = stat()
        return stat(path, &info) == 0 ? Int64(info.st_blocks) * 512 : 0
    }
}
