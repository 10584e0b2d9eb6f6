// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import Symbols

struct LineProgramPoolTests {
    private let pool = LineProgramPool { LineProgram(ReaderCommand("/bin/cat").reading($0), in: "/", probe: "") }

    private func process(_ folders: String...) throws -> Int32 {
        #expect(try pool.ask([[0x61]], reading: folders) == [[0x61]])
        return try #require(pool.process)
    }

    @Test func `each set of folders has a child of its own, which is kept`() throws {
        let (one, two, both) = (try process("1"), try process("2"), try process("1", "2"))
        #expect(Set([one, two, both]).count == 3)
        #expect(try process("1") == one && process("2") == two && process("1", "2") == both)
    }

    @Test func `the child that was used least recently ends`() throws {
        let first = try process("1")
        let second = try process("2")
        for folder in ["3", "1", "4", "5"] { _ = try process(folder) }
        #expect(kill(second, 0) == -1 && errno == ESRCH)
        #expect(try kill(first, 0) == 0 && process("1") == first)
    }

    @Test func `an ended pool starts again, and a stopped one does not`() throws {
        let first = try process("1")
        pool.end()
        #expect(kill(first, 0) == -1 && pool.process == nil)
        #expect(try process("1") != first)
        pool.stop()
        #expect(throws: ProgramError.stopped("/bin/cat")) { try pool.ask([[0x61]], reading: ["1"]) }
        #expect(throws: ProgramError.stopped("/bin/cat")) { try pool.ask([[0x61]], reading: ["2"]) }
    }
}
