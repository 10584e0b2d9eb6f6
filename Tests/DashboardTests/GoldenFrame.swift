// SPDX-License-Identifier: Apache-2.0

import Foundation
import Terminal
import Testing

/// Expected frames, stored as text files in `Tests/Fixtures/frames`.
///
/// With SIGNALBOX_WRITE_FRAMES in the environment the files are rewritten; review the changes with git diff.
enum GoldenFrame {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path + "/Fixtures/frames/"

    static func check(_ frame: Frame, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let path = folder + name + ".txt"
        if ProcessInfo.processInfo.environment["SIGNALBOX_WRITE_FRAMES"] != nil {
            try (frame.lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        }
        let kept = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
            String.init)
        #expect(kept == frame.lines, "\(name):\n\(difference(kept, frame.lines))", sourceLocation: sourceLocation)
    }

    private static func difference(_ kept: [String], _ drawn: [String]) -> String {
        (0..<max(kept.count, drawn.count)).compactMap { row in
            let (old, new) = (kept.indices.contains(row) ? kept[row] : "", drawn.indices.contains(row) ? drawn[row] : "")
            return old == new ? nil : "\(row + 1) - \(old)\n\(row + 1) + \(new)"
        }.joined(separator: "\n")
    }
}
