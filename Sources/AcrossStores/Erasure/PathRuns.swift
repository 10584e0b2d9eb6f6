// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FileStore
package import FunctionStore
package import Platform

extension Stores {
    /// Returns a walk over the runs of others about documents and files that are a user's by their paths.
    ///
    ///     users/{uid}/ is a folder of persons
    ///     bob uploads users/ann/photo.jpg   the run file.finalized is bob's, and names ann
    package func pathRuns(of users: [String], app: AppID) async throws -> PathRunWalk {
        let patterns = try await documents.personPatterns(of: app).filter(\.isOfPath)
        let folders = try await files.personPaths(of: app)
        let prefixes = users.flatMap { user in folders.compactMap { $0.prefix(of: user) } }
        // Without a path of the users no run is read, of which there may be many.
        let hasPaths = !patterns.isEmpty || !prefixes.isEmpty
        return PathRunWalk(of: hasPaths ? users : [], app: app) { place in
            switch place {
            case .document(let path): patterns.cover(path, ofOneOf: users)
            case .file(let path): prefixes.contains { path.utf8.starts(with: $0.utf8) }
            }
        }
    }
}
