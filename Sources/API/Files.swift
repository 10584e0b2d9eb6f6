// SPDX-License-Identifier: Apache-2.0

package import Events

/// A file of an app, without its bytes.
package struct FileResponse: Codable, Sendable {
    package var path: String
    package var size: Int64
    package var type: String
    /// In hexadecimal digits, as is `crc32c`.
    package var sha256: String
    package var crc32c: String
    /// The version of the bytes in microseconds; it rises with each change.
    package var generation: Int64
    /// The number of changes of the details, from 1.
    package var metageneration: Int64
    package var etag: String
    package var createdAt: Moment
    package var updatedAt: Moment
    /// The user who uploaded it; nil for a server.
    package var owner: String?
    package var cacheControl: String?
    package var contentDisposition: String?
    package var contentEncoding: String?
    package var contentLanguage: String?
    package var metadata: Members<String>
    /// The function that must allow it; nil for a file that is readable.
    package var pendingUntil: String?

    package init(
        path: String, size: Int64, type: String, sha256: String, crc32c: String, generation: Int64, metageneration: Int64, etag: String,
        createdAt: Moment, updatedAt: Moment, owner: String?, metadata: Members<String>
    ) {
        self.path = path
        self.size = size
        self.type = type
        self.sha256 = sha256
        self.crc32c = crc32c
        self.generation = generation
        self.metageneration = metageneration
        self.etag = etag
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.owner = owner
        self.metadata = metadata
    }
}

/// A page of a list of files.
package struct FileListResponse: Codable, Sendable {
    package var items: [FileResponse]
    /// Folders among the files, such as `users/ann/`.
    package var folders: [String]
    package var next: String?

    package init(items: [FileResponse], folders: [String], next: String?) {
        self.items = items
        self.folders = folders
        self.next = next
    }
}

/// A link with which its holder may read a file until it ends.
package struct FileLinkResponse: Codable, Sendable {
    /// Relative to the address of the server.
    package var url: String
    package var expiresAt: Moment
    /// The number to revoke it by; nil for a link that only its time ends.
    package var id: Int64?

    package init(url: String, expiresAt: Moment, id: Int64?) {
        self.url = url
        self.expiresAt = expiresAt
        self.id = id
    }
}

/// The folders whose files belong to persons.
package struct FilePersonsResponse: Codable, Sendable {
    package var paths: [String]

    package init(paths: [String]) { self.paths = paths }
}

/// The decision of storage rules about a request that was not made.
package struct FileTrialResponse: Codable, Sendable {
    package var allowed: Bool
    /// The line of the statement that allows the request, or of the last one that does not; nil if none concerns it.
    package var line: Int?
    /// Errors of conditions, such as `4:27: There is no field `name`.`
    package var errors: [String]

    package init(allowed: Bool, line: Int?, errors: [String]) {
        self.allowed = allowed
        self.line = line
        self.errors = errors
    }
}

/// A page of an export of files. The first one has the settings.
package struct FileExportResponse: Codable, Sendable {
    package struct Item: Codable, Sendable {
        package var file: FileResponse
        /// In hexadecimal digits; nil if it was never computed.
        package var md5: String?
        /// Download tokens of Firebase that are stored with the file, separated by commas.
        package var downloadTokens: String?
    }

    /// A setting: the `paths` of `persons`, the `source` of `rules`, or the `rules` of `pending`.
    package struct Setting: Codable, Sendable {
        package struct Value: Codable, Sendable {
            package var paths: [String]?
            package var source: String?
            package var rules: [FileWaitRule]?
        }

        package var setting: String
        package var value: Value
    }

    package var settings: [Setting]?
    package var items: [Item]
    package var next: String?
}

/// The result of an import of entries of files.
package struct FileImportResponse: Codable, Sendable {
    /// The files that were here with their bytes.
    package var files = 0
    /// The lines of files whose bytes are not here.
    package var missing: [Int] = []
    package var failed = 0
    /// The first failures.
    package var errors: [ImportFailure] = []

    package init() {}
}

/// A folder in which new files of clients wait for a function.
package struct FileWaitRule: Codable, Sendable {
    package var prefix: String
    package var pendingUntil: String

    package init(prefix: String, pendingUntil: String) {
        self.prefix = prefix
        self.pendingUntil = pendingUntil
    }
}

package struct FileWaitRules: Codable, Sendable {
    package var rules: [FileWaitRule]

    package init(rules: [FileWaitRule]) { self.rules = rules }
}

/// A page of the files that wait for functions, with the rules.
package struct FilePendingResponse: Codable, Sendable {
    package struct Item: Codable, Sendable {
        package var file: FileResponse
        /// `waiting`, `dead`, `no_function`, `no_answer` or `too_deep`.
        package var state: String
        package var run: String?

        package init(file: FileResponse, state: String, run: String?) {
            self.file = file
            self.state = state
            self.run = run
        }
    }

    package var rules: [FileWaitRule]
    package var items: [Item]
    package var next: String?

    package init(rules: [FileWaitRule], items: [Item], next: String?) {
        self.rules = rules
        self.items = items
        self.next = next
    }
}
