// SPDX-License-Identifier: Apache-2.0

package import Platform
import SignalboxDocumentModel

extension DocumentStore {
    /// Makes the indexes of a declaration and drops all others of the app. The writer builds them between commits.
    package func declare(_ declaration: IndexDeclaration, app: AppID) async throws {
        try await change { try $0.declare(declaration, app: app) }
    }

    /// The fields by which queries teach no index.
    package func exemptions(of app: AppID) async throws -> [IndexExemption] {
        try await read(app, at: nil) { try $0.file.setting(.exemptions, app: app, $0.bodies).map(IndexExemption.exemptions) ?? [] }
    }

    package func indexes(of app: AppID) async throws -> [StoredIndex] {
        try await read(app, at: nil) { try $0.file.indexes(of: app) }
    }
}
