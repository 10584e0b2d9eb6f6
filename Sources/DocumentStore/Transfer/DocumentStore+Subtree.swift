// SPDX-License-Identifier: Apache-2.0

package import Platform
package import SignalboxDocumentModel

extension DocumentStore {
    /// Returns documents in the collections below a document, at any depth, in the order of collections and then of IDs.
    ///
    ///     below users/u1     users/u1/orders/o1, users/u1/orders/o1/lines/l1, not users/u10/orders/o2
    ///
    /// - Parameters:
    ///   - document: The document, which may be missing.
    ///   - last: The last document of an earlier call, behind which to go on.
    ///   - limit: The most documents.
    ///   - app: The app of the document.
    package func paths(
        below document: DocumentPath, after last: DocumentPath? = nil, atMost limit: Int, app: AppID
    ) async throws -> [DocumentPath] {
        try await read(app, at: nil) { view in
            var found: [DocumentPath] = []
            var from = last?.parent?.description ?? document.description + "/"
            while found.count < limit, let row = try view.file.nextCollection(from: from, isLeft: false, app: app),
                row.path.segments.starts(with: document.segments)
            {
                let isBegun = last != nil && row.path == last?.parent
                try view.file.documents(of: row.number, from: isBegun ? last.map { StoredID.bytes($0.id) + [0] } ?? [] : []) { stored in
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
