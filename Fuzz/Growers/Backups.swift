// SPDX-License-Identifier: Apache-2.0

extension Grower {
    /// The records of decrypted backups. Files are empty, because the sum of nothing is known.
    static let backups: [Grower] = [
        Grower("backups", "files") { n in backup((0..<n).map { "f\($0)" }) },
        Grower("backups", "files in folders") { n in backup((0..<n).map { "symbols/1/f\($0)" }) },
        Grower("backups", "a long path") { n in backup([String(repeating: "f", count: min(n, 60_000))]) },
        Grower("backups", "files of one path", isAccepted: false) { n in backup((0..<n).map { _ in "f" }) },
        Grower("backups", "files without a manifest", isAccepted: false) { n in (0..<n).flatMap { record("f\($0)", []) } },
        Grower("backups", "a long file", isAccepted: false) { n in record("main.db", [UInt8](repeating: 0, count: n)) + record("MANIFEST", []) },
        Grower("backups", "a manifest of other files", isAccepted: false) { n in
            record("main.db", []) + record("MANIFEST", Array(manifest((0..<n).map { "f\($0)" }).utf8))
        },
        Grower("backups", "a manifest of one line", isAccepted: false) { n in record("MANIFEST", [UInt8](repeating: 0x20, count: n)) },
    ]

    private static let emptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private static func backup(_ paths: [String]) -> [UInt8] {
        let paths = ["main.db"] + paths
        return paths.flatMap { record($0, []) } + record("MANIFEST", Array(manifest(paths).utf8))
    }

    private static func manifest(_ paths: [String]) -> String {
        "# \(paths.count) files\n" + paths.map { "\(emptySum) 0 \($0)\n" }.joined()
    }

    private static func record(_ path: String, _ content: [UInt8]) -> [UInt8] {
        big(path.utf8.count, 2) + Array(path.utf8) + big(content.count, 8) + content
    }

    private static func big(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
