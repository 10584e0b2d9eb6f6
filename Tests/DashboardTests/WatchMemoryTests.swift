// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Checks the memory of a long watch; scripts/bench-terminal runs it for longer.
struct WatchMemoryTests {
    /// The resident memory in KiB.
    private func resident(_ pid: Int32) throws -> Int {
        let pages = try String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8).split(separator: " ")[1]
        return try #require(Int(pages)) * Int(getpagesize()) / 1_024
    }

    /// Reads and discards a number of lines.
    private func skip(_ lines: Int, of descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var rest = lines
        while rest > 0, case let count = read(descriptor, &buffer, buffer.count), count > 0 {
            rest -= buffer[..<count].count { $0 == 0x0a }
        }
    }

    @Test func `memory stays constant over a thousand refreshes`() async throws {
        let running = try await DevelopmentDaemon()
        #expect(try await running.run("demo", "--people", "4", "--days", "1", as: "ingest").code == 0)
        let ends = try ChildProcess.pipe()
        let program = try ProgramUnderTest.dashboard.start(
            ["topics", "--json", "--watch", "0"], environment: running.environment("send"), output: ends.writing)
        close(ends.writing)
        skip(400, of: ends.reading)
        let before = try resident(program.pid)
        skip(1_200, of: ends.reading)
        let after = try resident(program.pid)
        program.signal(SIGINT)
        #expect(await program.exitCode() == 0)
        close(ends.reading)
        #expect(after - before < 1_536, "\(before) KiB, then \(after) KiB")
    }
}
