import Crypto

/// What a backup holds: each file with its size and SHA-256.
package struct BackupManifest: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package var path: String
        package var bytes: Int64
        package var sha256: String
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
        var lines = text.split(separator: "\n")
        let head = lines.first?.hasPrefix("#") == true ? lines.removeFirst() : nil
        for line in lines {
            guard let entry = Entry(line) else { return nil }
            entries.append(entry)
        }
        if let head, head != "# \(entries.count) files" { return nil }
    }
}

extension BackupManifest.Entry {
    fileprivate init?(_ line: Substring) {
        let parts = line.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, parts[0].count == 64, let bytes = Int64(parts[1]), Hex.decode(parts[0]) != nil else { return nil }
        let path = String(parts[2])
        guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else { return nil }
        self.init(path: path, bytes: bytes, sha256: String(parts[0]))
    }
}
