// SPDX-License-Identifier: Apache-2.0

package import Platform
package import AcrossStores

/// Runs a closure with a running store in a temporary folder.
package func withStore<T: Sendable>(
    in folder: TemporaryFolder = TemporaryFolder(), options: StoreOptions = StoreOptions(), clock: WallClock = .system,
    metrics: Metrics = Metrics(), opening others: [Stores.OpenCompanion] = [], _ body: @Sendable (Stores) async throws -> T
) async throws -> T {
    try EmptyFiles.place(in: folder.path)
    let store = try Stores(folder.path, options: options, clock: clock, metrics: metrics, opening: others) { fatalError($0) }
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await store.run() }
        let result: Result<T, any Error>
        do { result = .success(try await body(store)) } catch { result = .failure(error) }
        store.close()
        try await group.waitForAll()
        return try result.get()
    }
}
