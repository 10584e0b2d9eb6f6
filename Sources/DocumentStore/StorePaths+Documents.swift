// SPDX-License-Identifier: Apache-2.0

package import Database

extension StorePaths {
    package var documents: String { root + "/" + DocumentStore.fileName }
}

extension ReadSession {
    package func withDocuments<T>(_ body: (DocumentDB) throws -> T) throws -> T { try withSnapshot(paths.documents, body) }
}
