// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import Files
import Platform
import TestSupport
import Testing

@testable import FileStore

@Suite struct FolderSizeTests {
    private static func sizes(_ prefix: String, _ files: KeyValuePairs<String, Int64>) -> FolderSizes {
        var addition = FolderAddition(prefix)
        for (path, bytes) in files.sorted(by: { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }) {
            if path.hasPrefix(prefix) { addition.add(Array(path.utf8), bytes) }
        }
        return addition.finish(isComplete: true, at: Timestamp(milliseconds: 0))
    }

    @Test func `folders below a prefix are added up with what lies deeper`() {
        let files: KeyValuePairs<String, Int64> = ["a/1": 5, "a/x/1": 7, "a/x/y/2": 1, "b": 9, "a-b/1": 2, "a/z": 3]
        let whole = Self.sizes("", files)
        #expect(whole.folders.map(\.path) == ["a/", "a-b/"] && whole.folders.map(\.size.bytes) == [16, 2] && whole.folders[0].size.files == 4)
        #expect(whole.here == FolderSizes.Size(bytes: 9, files: 1))
        let inner = Self.sizes("a/", files)
        #expect(inner.folders.map(\.path) == ["a/x/"] && inner.folders[0].size == FolderSizes.Size(bytes: 8, files: 2))
        #expect(inner.here == FolderSizes.Size(bytes: 8, files: 2))
    }

    @Test func `of very many folders the largest are kept`() {
        var addition = FolderAddition("")
        for number in 0..<5_000 { addition.add(Array("f\(10_000 + number)/x".utf8), Int64(number * 7_919 % 5_000)) }
        let found = addition.finish(isComplete: true, at: Timestamp(milliseconds: 0))
        #expect(found.folders.map(\.size.bytes) == (4_900..<5_000).reversed().map(Int64.init))
    }

    @Test func `sizes are kept for a while, and forgotten with the files of a person`() async throws {
        try await FileWorld.run(.init(FileWorld.start)) { world in
            try await world.put("users/ann/a", FileWorld.some(60), owner: "ann")
            try await world.put("x", FileWorld.some(5))
            let first = try await world.store.folderSizes(below: "users/", app: world.app)
            #expect(first.folders.map(\.path) == ["users/ann/"] && first.folders[0].size.bytes == 60 && first.isComplete)
            try await world.put("users/ann/b", FileWorld.some(10), owner: "ann")
            #expect(try await world.store.folderSizes(below: "users/", app: world.app) == first)
            _ = try await world.stores.erase(PersonID(.user, "ann"), of: world.app)
            #expect(try await world.store.folderSizes(below: "users/", app: world.app).folders.isEmpty)
            #expect(try await world.store.folderSizes(below: "", app: world.app).here.files == 1)
        }
    }
}
