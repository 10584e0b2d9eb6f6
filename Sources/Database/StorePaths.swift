// SPDX-License-Identifier: Apache-2.0

import Platform

/// The layout of a data folder. Each store adds the paths of its files in an extension.
package struct StorePaths: Sendable {
    package let root: String

    package init(root: String) {
        self.root = root
    }

    package var lock: String { root + "/lock" }
    /// Uploads in progress. They are deleted at the next start.
    package var uploads: String { root + "/uploads" }
    /// An app's minidumps while they are read.
    package func minidumps(of app: Int64) -> String { "\(uploads)/minidumps/\(app)" }
    /// The file that keeps some space of the disk for removals.
    package var spareSpace: String { root + "/disk.spare" }
    package var controlSocket: String { root + "/control.sock" }
    package var developmentKeys: String { root + "/development-keys.json" }
}
