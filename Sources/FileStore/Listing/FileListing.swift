// SPDX-License-Identifier: Apache-2.0

package import Files

/// A page of a listing.
package struct FileListing: Sendable, Equatable {
    package var files: [StoredFile] = []
    /// The paths of folders up to the delimiter, such as `users/ann/`.
    package var folders: [String] = []
    /// The name to go on after; nil at the end.
    package var next: String?
    /// The rows and seeks that the page cost.
    var steps = 0
}

/// The files of an app whose paths begin with a prefix, and the folders among them.
///
///     a/1, a/x/1, a/x/2, a/y/1, b    prefix a/, delimiter /  →  file a/1; folders a/x/, a/y/
///
/// Files and folders share one order, that of their bytes.
package struct FileListingQuery: Sendable, Hashable {
    package static let limits = 1...1_000
    /// Each name is searched for the delimiter, so a long one would cost as much again for each of its bytes.
    package static let maximumDelimiterBytes = 16

    package var prefix = ""
    /// The text at which names are cut; nil or empty for files of every depth.
    package var delimiter: String?
    /// The name after which the page begins.
    package var after: String?
    package var limit = 1_000
    /// The name at which the listing begins, and that before which it ends.
    package var (first, end): (String?, String?)
    /// The pattern of the files and folders that are shown. A page of few may have a next one.
    package var glob: FileGlob?

    package init(prefix: String = "", delimiter: String? = nil, after: String? = nil, limit: Int = 1_000) {
        (self.prefix, self.delimiter, self.after) = (prefix, delimiter.flatMap { $0.isEmpty ? nil : $0 }, after)
        self.limit = min(max(limit, FileListingQuery.limits.lowerBound), FileListingQuery.limits.upperBound)
    }
}
