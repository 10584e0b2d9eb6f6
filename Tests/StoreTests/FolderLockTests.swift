// SPDX-License-Identifier: Apache-2.0

import Store
import Testing
import TestSupport

struct FolderLockTests {
    @Test func `a folder is free as soon as its store has stopped, whoever still holds the object`() async throws {
        let folder = TemporaryFolder()
        let store = try Store(folder.path) { fatalError($0) }
        #expect(throws: StoreError.self) { try Store(folder.path) { fatalError($0) } }
        store.close()
        await store.run()
        #expect(throws: Never.self) { try Store(folder.path) { fatalError($0) } }
        withExtendedLifetime(store) {}
    }
}
