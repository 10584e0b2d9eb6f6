// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A store with one file and one writer of its own beside the events, as work that spans stores sees it.
///
/// `Stores.companions` lists them. Each step is carried out on all of them, in the order of the list:
///
///     start and end        run, close
///     app deletion         forgetDeletedApps
///     data retention       retain
///     erasure              survey, remove, emptyLog
///     backup and restore   fileName, prepareRestored
package protocol CompanionStore: Sendable {
    /// The name of the store's file in the data folder, such as `messages.db`.
    static var fileName: String { get }

    /// Prepares a restored file before its first start. The default changes nothing.
    static func prepareRestored(_ path: String) throws

    /// Writes until `close`, then commits what was accepted before it and returns.
    func run() async
    func close()

    /// Removes the data of apps that are no longer in the directory; a large amount may go in the background.
    func forgetDeletedApps() async throws

    /// Removes data beyond the retention of each app, and returns the number of rows removed. The default removes nothing.
    func retain(_ apps: [App]) async throws -> Int

    /// Counts the data of a person that `remove` would remove.
    func survey(_ removal: PersonRemoval) async throws -> RemovalCounts

    /// Removes or anonymizes the data of a person. Repeating it after a kill finishes it.
    func remove(_ removal: PersonRemoval) async throws -> RemovalCounts

    /// Returns when the write-ahead log has nothing of what `remove` removed. Throws if a query reads the log for long.
    func emptyLog() async throws
}

extension CompanionStore {
    package static func prepareRestored(_ path: String) throws {}

    package func retain(_ apps: [App]) async throws -> Int { 0 }
}
