// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import TestSupport
import Testing

struct HostileReportTests {
    /// Random combinations of name parts from every language.
    private static let pieces = [
        "<", ">", "(", ")", "[", "]", "{", "}", "`", "'", "$_", "$", "::", ":", ".", " ", "->", " -> ", "operator", "operator(", "lambda",
        "closure #1 in ", "-[", "+[", "__", "_block_invoke",
        "(anonymous namespace)::", "`anonymous namespace'", "(extension in ", " in ", " for ", " of ", "(1", " as ", "+0x", " + ", "=", "='", "@",
        "@@", ".cold", "\u{0}", "\u{301}", "é", "🏴", "\u{7f}", "a", "Z9", "0",
        "127.0.0.1", "Mon ", "-", "://", "\n", "\r",
    ]

    @Test(arguments: [nil, "java", "javascript", "python"]) func `any name and message can be grouped`(platform: String?) {
        var generator = SeededGenerator(11)
        for _ in 0..<1_000 {
            func text() -> String {
                (0..<Int.random(in: 0...12, using: &generator)).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
            }
            var report = CrashReport(id: "1", kind: .nonfatal, level: .error, time: Timestamp(milliseconds: 0), type: text())
            report.reason = text()
            report.fingerprint = [text()]
            report.frames = (0..<3).map { _ in
                var frame = StackFrame()
                (frame.function, frame.module, frame.file, frame.package) = (text(), text(), text(), text())
                frame.platform = platform
                frame.address = UInt64.random(in: 0...UInt64.max, using: &generator)
                frame.imageAddress = UInt64.random(in: 0...UInt64.max, using: &generator)
                return frame
            }
            report.images = report.frames.map { frame in
                var image = BinaryImage()
                image.address = Bool.random(using: &generator) ? frame.imageAddress : frame.address
                image.size = UInt64.max
                return image
            }
            let key = GroupingRule.current.group(report)
            #expect(key.hash.count == 16 && key.stackHash.count == 16 && key == GroupingRule.current.group(report))
        }
    }

    @Test func `the longest report is grouped fast`() {
        var report = CrashReport(
            id: "1", kind: .fatal, level: .fatal, time: Timestamp(milliseconds: 0), type: String(repeating: "(", count: CrashLimits.typeCharacters))
        report.reason = String(repeating: "='", count: CrashLimits.reasonCharacters / 2)
        let unfinished = Self.pieces.map { piece in String(repeating: piece, count: CrashLimits.nameCharacters / piece.count) }
        report.frames = (0..<CrashLimits.frames).map { i in
            var frame = StackFrame()
            frame.function = unfinished[i % unfinished.count]
            return frame
        }
        let time = ContinuousClock().measure { _ = GroupingRule.current.group(report) }
        // A debug build on a machine that others use, too, takes seconds at most.
        #expect(time < .seconds(20))
    }
}
