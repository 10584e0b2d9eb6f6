// SPDX-License-Identifier: Apache-2.0

package import Platform
package import SignalboxDocumentModel

extension DocumentStore {
    /// Makes the indexes of a list and drops all others of the app. The writer builds them between commits.
    package func declare(_ shapes: [IndexShape], app: AppID) async throws {
        try await change { try $0.declare(shapes, app: app) }
    }

    package func indexes(of app: AppID) async throws -> [StoredIndex] {
        try await read(app, at: nil) { try $0.file.indexes(of: app) }
    }
}
