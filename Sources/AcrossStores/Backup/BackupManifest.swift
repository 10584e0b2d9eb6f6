// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Platform

/// The list of a backup's files with their sizes and SHA-256.
///
///     # 2 files
///     9f86d0…0a08 57344 main.db
///     60303a…6fa3 90112 events/2026-11-21.db
package struct BackupManifest: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package var path: BackupPath
        package var bytes: Int64
        package var sha256: String

        /// Throws if the path could lead out of the backup.
        package init(path: String, bytes: Int64, sha256: String) throws(Refusal) {
            guard let path = BackupPath(path) else {
                throw Refusal(
                    .invalid, "The data folder contains a file that ingestd did not write.", hint: "Move such files out of the data folder.")
            }
            (self.path, self.bytes, self.sha256) = (path, bytes, sha256)
        }
    }

    package static let fileName = "MANIFEST"
    package var entries: [Entry]

    /// The number of files, then a line per file. Without the size, `sha256sum -c` reads these lines.
    package var text: String {
        "# \(entries.count) files\n" + entries.map { "\($0.sha256) \($0.bytes) \($0.path)\n" }.joined()
    }

    package init(entries: [Entry]) {
        self.entries = entries
    }

    /// Parses a manifest; nil if it is malformed or truncated. Manifests of the first release have no line with the number of files.
    package init?(text: String) {
        entries = []
        var lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
        let head = lines.first?.utf8.first == UInt8(ascii: "#") ? lines.removeFirst() : nil
        for line in lines {
            guard let entry = Entry(line) else { return nil }
            entries.append(entry)
        }
        if let head, !head.hasSameBytes(as: "# \(entries.count) files") { return nil }
    }
}

extension BackupManifest.Entry {
    fileprivate init?(_ line: Substring) {
        let parts = line.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2).map { Substring($0) }
        guard parts.count == 3, parts[0].utf8.count == 64, let bytes = Int64(parts[1]), Hex.decode(parts[0]) != nil else { return nil }
        try? self.init(path: String(parts[2]), bytes: bytes, sha256: String(parts[0]))
    }
}
