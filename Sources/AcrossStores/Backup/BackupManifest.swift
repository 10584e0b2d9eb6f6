// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Platform

/// What a backup holds: each file with its size and SHA-256.
package struct BackupManifest: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package var path: BackupPath
        package var bytes: Int64
        package var sha256: String

        /// Throws where the path could lead out of the backup.
        package init(path: String, bytes: Int64, sha256: String) throws(Refusal) {
            guard let path = BackupPath(path) else {
                throw Refusal(.invalid, "A backup cannot hold a file of this name.", hint: "Move what is no file of ingestd out of its data folder.")
            }
            (self.path, self.bytes, self.sha256) = (path, bytes, sha256)
        }
    }

    package static let fileName = "MANIFEST"
    package var entries: [Entry]

    /// How many files there are, then one line a file, as `sha256sum -c` reads it after the size is cut off.
    package var text: String {
        "# \(entries.count) files\n" + entries.map { "\($0.sha256) \($0.bytes) \($0.path)\n" }.joined()
    }

    package init(entries: [Entry]) {
        self.entries = entries
    }

    /// Nil for what is no manifest, or not all of one. The first of them did not say how many files there are.
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
