import Foundation
import TestSupport
import Testing

/// The first thing somebody tries.
struct DemoTests {
    @Test func `the demo shows a filled overview and leaves nothing behind`() async throws {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
        let programs = URL(fileURLWithPath: ProgramUnderTest.ingestd.path).deletingLastPathComponent().path
        let folder = TemporaryFolder()
        let demo = Process()
        demo.executableURL = URL(fileURLWithPath: source + "/scripts/demo")
        demo.arguments = ["--once"]
        demo.environment = ProcessInfo.processInfo.environment.merging(
            ["SIGNALBOX_BUILD": programs, "TMPDIR": folder.path, "LANG": "C.UTF-8"]) { $1 }
        let written = folder.path + "/written"
        try #require(FileManager.default.createFile(atPath: written, contents: nil))
        demo.standardInput = FileHandle.nullDevice
        demo.standardOutput = FileHandle(forWritingAtPath: written)
        #expect(try await ExitCode(of: demo).value() == 0)
        let shown = try String(contentsOfFile: written, encoding: .utf8)
        for part in ["Top screens", "screen_view", "EUR", "bad_event_name"] { #expect(shown.contains(part), "\(part) in\n\(shown)") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["written"])
    }
}
