// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Database
import Testing
import TestSupport

struct FolderLockTests {
    @Test func `a folder is free as soon as its store has stopped, whoever still holds the object`() async throws {
        let folder = TemporaryFolder()
        let store = try Stores(folder.path) { fatalError($0) }
        #expect(throws: StoreError.self) { try Stores(folder.path) { fatalError($0) } }
        store.close()
        await store.run()
        #expect(throws: Never.self) { try Stores(folder.path) { fatalError($0) } }
        withExtendedLifetime(store) {}
    }
}
