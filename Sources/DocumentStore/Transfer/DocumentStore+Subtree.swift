// SPDX-License-Identifier: Apache-2.0

package import Platform
package import SignalboxDocumentModel

extension DocumentStore {
    /// Returns documents in the collections below a document, at any depth.
    ///
    ///     below users/u1     users/u1/orders/o1, users/u1/orders/o1/lines/l1, not users/u10/orders/o2
    package func paths(below document: DocumentPath, atMost limit: Int, app: AppID) async throws -> [DocumentPath] {
        try await read(app, at: nil) { view in
            var found: [DocumentPath] = []
            var from = document.description + "/"
            while found.count < limit, let row = try view.file.nextCollection(from: from, isLeft: false, app: app),
                row.path.segments.starts(with: document.segments)
            {
                try view.file.documents(of: row.number, from: []) { stored in
                    guard let id = StoredID.segment(stored.id), let path = DocumentPath(row.path.segments + [id]) else {
                        throw DocumentError.damaged
                    }
                    found.append(path)
                    return found.count < limit
                }
                // The first text behind the collection's path.
                from = row.path.description + "\0"
            }
            return found
        }
    }
}
