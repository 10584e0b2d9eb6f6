// SPDX-License-Identifier: Apache-2.0

import Files
import Platform
import TestSupport
import Testing

@testable import AppDirectory
@testable import Database
@testable import FileStore

@Suite struct FileCheckTests {
    @Test func `a check reads files that wait, too, and both versions of a path`() async throws {
        let folder = TemporaryFolder()
        try await FileWorld.run(in: folder) { world async throws in
            let (path, bytes) = (try FileWorld.path("b"), FileWorld.some(20_000))
            for name in ["a", "b", "c"] { try await world.put(name, [1]) }
            let held = try await world.hold("b", bytes, owner: "ann")
            let whole = try await world.store.check(world.app, deep: true)
            #expect(whole.files == 4 && whole.bytes == 20_003 && whole.damages.isEmpty && whole.next == nil)
            guard case .blob(let blob) = held.place else { throw FileStoreError.damaged }
            let place = "\(folder.path)/\(StorePaths.blob(blob, app: world.app.rawValue))"
            try Folder.remove(place)
            #expect(try await world.store.check(world.app, deep: false).damages == [FileDamage(path: path, what: .missing)])
            var flipped = bytes
            flipped[10_000] ^= 1
            try File(place, .new).write(flipped)
            #expect(try await world.store.check(world.app, deep: false).damages.isEmpty)
            #expect(try await world.store.check(world.app, deep: true).damages == [FileDamage(path: path, what: .sum)])
            #expect(try await world.store.check(world.app, after: "b", deep: true).damages.isEmpty)
            _ = try await world.store.decide(path, generation: held.generation, allow: false, app: world.app)
            #expect(try await world.store.check(world.app, deep: true).files == 3)
        }
    }
}
