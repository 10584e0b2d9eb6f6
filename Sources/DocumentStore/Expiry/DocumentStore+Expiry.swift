// SPDX-License-Identifier: Apache-2.0

package import Platform
import SignalboxDocumentModel

extension DocumentStore {
    /// Returns the fields by which documents of an app expire, each with the progress of its index.
    package func expiry(of app: AppID) async throws -> [(field: ExpiryField, progress: Double)] {
        try await read(app, at: nil) { view in
            let indexes = try view.file.indexes(of: app)
            let fields = try view.file.setting(.expiry, app: app, view.bodies).map(ExpiryField.fields) ?? []
            return fields.map { field in (field, indexes.first { $0.shape == field.shape }?.progress ?? 0) }
        }
    }

    /// Replaces the fields by which documents of an app expire. The writer makes their indexes and deletes what has expired.
    package func setExpiry(_ fields: [ExpiryField], app: AppID) async throws {
        try await change(app) { try $0.setExpiry(fields, app: app) }
    }
}
