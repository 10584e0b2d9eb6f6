// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Database
import Testing
import TestSupport

struct FolderLockTests {
    @Test func `a stopped store releases the folder lock`() async throws {
        let folder = TemporaryFolder()
        let store = try Stores(folder.path) { fatalError($0) }
        #expect(throws: StoreError.self) { try Stores(folder.path) { fatalError($0) } }
        store.close()
        await store.run()
        #expect(throws: Never.self) { try Stores(folder.path) { fatalError($0) } }
        withExtendedLifetime(store) {}
    }
}
