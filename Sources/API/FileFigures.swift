// SPDX-License-Identifier: Apache-2.0

package import Events

/// The usage of an app's files.
package struct FileUsageResponse: Codable, Sendable {
    /// The files that a user uploaded.
    package struct User: Codable, Sendable {
        package var uid: String
        package var bytes: Int64
        package var files: Int64
        package var openUploads: Int64
        package var reservedBytes: Int64

        package init(uid: String, bytes: Int64, files: Int64, openUploads: Int64, reservedBytes: Int64) {
            (self.uid, self.bytes, self.files) = (uid, bytes, files)
            (self.openUploads, self.reservedBytes) = (openUploads, reservedBytes)
        }
    }

    /// Transfers in each of the last 60 minutes, oldest first.
    package struct Traffic: Codable, Sendable {
        package var uploads: [Int64]
        package var uploadedBytes: [Int64]
        package var downloads: [Int64]
        package var downloadedBytes: [Int64]

        package init(uploads: [Int64], uploadedBytes: [Int64], downloads: [Int64], downloadedBytes: [Int64]) {
            (self.uploads, self.uploadedBytes, self.downloads, self.downloadedBytes) = (uploads, uploadedBytes, downloads, downloadedBytes)
        }
    }

    package var bytes: Int64
    package var files: Int64
    package var openUploads: Int64
    /// The declared lengths of open uploads.
    package var reservedBytes: Int64
    package var traffic: Traffic
    /// The quota of an app.
    package var mostBytes: Int64
    /// The users in the order of their IDs.
    package var items: [User]
    package var next: String?

    package init(
        bytes: Int64, files: Int64, openUploads: Int64, reservedBytes: Int64, traffic: Traffic, mostBytes: Int64, items: [User], next: String?
    ) {
        (self.bytes, self.files, self.openUploads, self.reservedBytes) = (bytes, files, openUploads, reservedBytes)
        (self.traffic, self.mostBytes, self.items, self.next) = (traffic, mostBytes, items, next)
    }
}

/// The largest folders below a prefix.
package struct FileFoldersResponse: Codable, Sendable {
    /// A folder with all files in it and in its folders.
    package struct Folder: Codable, Sendable {
        /// Such as `users/ann/`.
        package var path: String
        package var bytes: Int64
        package var files: Int64

        package init(path: String, bytes: Int64, files: Int64) { (self.path, self.bytes, self.files) = (path, bytes, files) }
    }

    package var prefix: String
    /// The files that are in none of the folders.
    package var bytes: Int64
    package var files: Int64
    /// The largest first.
    package var items: [Folder]
    /// Whether all files were counted in time.
    package var complete: Bool
    /// When they were counted.
    package var at: Moment

    package init(prefix: String, bytes: Int64, files: Int64, items: [Folder], complete: Bool, at: Moment) {
        (self.prefix, self.bytes, self.files) = (prefix, bytes, files)
        (self.items, self.complete, self.at) = (items, complete, at)
    }
}

/// The result of checking some files of an app.
package struct FileCheckResponse: Codable, Sendable {
    /// A file whose bytes are not those that were stored.
    package struct Damage: Codable, Sendable {
        package var path: String
        /// `missing`, `size`, `sum` or `unreadable`.
        package var what: String

        package init(path: String, what: String) { (self.path, self.what) = (path, what) }
    }

    package var files: Int
    /// The bytes that were read.
    package var bytes: Int64
    package var items: [Damage]
    package var next: String?

    package init(files: Int, bytes: Int64, items: [Damage], next: String?) {
        (self.files, self.bytes, self.items, self.next) = (files, bytes, items, next)
    }
}

/// The decisions of an app's newest storage rules since the daemon started.
package struct FileDenialsResponse: Codable, Sendable {
    /// Denied requests of one kind, without paths and values.
    package struct Denial: Codable, Sendable {
        package var method: String
        /// The place of the statement that was looked at last; none if no statement is about the path.
        package var line: Int?
        package var column: Int?
        /// Whether a statement could not be evaluated.
        package var failed: Bool
        package var signedIn: Bool
        package var count: Int
        package var first: Moment
        package var last: Moment

        package init(method: String, line: Int?, column: Int?, failed: Bool, signedIn: Bool, count: Int, first: Moment, last: Moment) {
            (self.method, self.line, self.column, self.failed) = (method, line, column, failed)
            (self.signedIn, self.count, self.first, self.last) = (signedIn, count, first, last)
        }
    }

    /// Nil without rules.
    package var revision: Int?
    package var since: Moment?
    /// In the order of the file.
    package var statements: [RuleStatementDecisions]
    /// The newest first.
    package var items: [Denial]

    package init(revision: Int?, since: Moment?, statements: [RuleStatementDecisions], items: [Denial]) {
        (self.revision, self.since, self.statements, self.items) = (revision, since, statements, items)
    }
}
