// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import CrashStore
@testable import ingestd

/// Stacks of minidumps, walked again when symbols arrive.
@Suite struct MinidumpSymbolTests {
    /// The program's functions as Breakpad describes them. `price` keeps 24 bytes on the stack, which the frame pointer does not tell.
    private static let text = """
        MODULE Linux x86_64 7193BEE0742A21DB8CC905FCE5275ED00 Shop
        FILE 0 /src/shop.c
        FUNC 1100 40 0 price
        1100 40 11 0
        FUNC 1180 20 0 entry
        1180 20 23 0
        FUNC 11a0 20 0 main
        11a0 20 27 0
        STACK CFI INIT 1100 40 .cfa: $rsp 24 + .ra: .cfa 8 - ^
        STACK CFI INIT 1180 20 .cfa: $rsp 16 + .ra: .cfa 8 - ^
        STACK CFI INIT 11a0 20 .cfa: $rsp 8 + .ra: 0

        """

    /// A stack with a stale return address in `price`'s own memory, which a search finds and records skip.
    private static let words: [UInt64] = [SentDump.start + 0x1130, 5, SentDump.start + 0x1190, 6, SentDump.start + 0x11b0, 0]

    @Test func `late unwind records replace searched frames, and functions have names`() async throws {
        try await CrashingWorld.use { world in
            let ids = try await [0, 1].map { "\($0)" }.asyncMap {
                try await world.take(form: SentDump(at: 0x1110, annotation: $0, words: Self.words).form())
            }
            let issue = try await world.issues()[0]["id"].text
            #expect(
                try await world.walked(ids[0], of: issue) == ["0x1110 context", "0x1130 scan", "0x1190 scan", "0x11b0 scan"])
            let missing = try await world.missing()
            #expect(missing.map(\.["debug_id"].text) == [SymbolFixture.elf.debugID] && missing[0]["crashes"].number == 2)
            #expect(try await world.put(Array(Self.text.utf8), for: SymbolFixture.elf.debugID).status == 201)
            for id in ids {
                _ = try await world.readable(id, of: issue)
                #expect(try await world.walked(id, of: issue) == ["0x1110 price context", "0x1190 entry cfi", "0x11b0 main cfi"])
            }
            let issues = try await world.issues()
            #expect(issues.map(\.["count"].number) == [2] && issues[0]["culprit"].text.contains("price"))
            // A later dump is walked with the records and joins the issue.
            let late = try await world.take(form: SentDump(at: 0x1110, annotation: "late", words: Self.words).form())
            _ = try await world.readable(late, of: issue)
            #expect(try await world.walked(late, of: issue) == ["0x1110 price context", "0x1190 entry cfi", "0x11b0 main cfi"])
            #expect(try await world.issues().map(\.["count"].number) == [3])
        }
    }

    @Test func `an ELF file names the frames that were found without records`() async throws {
        try await CrashingWorld.use { world in
            let id = try await world.take(form: SentDump().form())
            let issue = try await world.issues()[0]["id"].text
            #expect(try await world.put(SymbolFixture.elf).status == 201)
            _ = try await world.readable(id, of: issue)
            let walked = try await world.walked(id, of: issue)
            #expect(walked.last == "0x11a4 main scan" && walked.contains("0x1191 entry context"), "\(walked)")
        }
    }

    @Test func `without the dump the stacks stay as they are, and functions have names`() async throws {
        try await CrashingWorld.use(configure: { $0.store.crashes.minidumpBytes = 0 }) { world in
            let id = try await world.take(form: SentDump(at: 0x1110, words: Self.words).form())
            let issue = try await world.issues()[0]["id"].text
            #expect(try await world.put(Array(Self.text.utf8), for: SymbolFixture.elf.debugID).status == 201)
            _ = try await world.readable(id, of: issue)
            #expect(
                try await world.walked(id, of: issue)
                    == ["0x1110 price context", "0x1130 price scan", "0x1190 entry scan", "0x11b0 main scan"])
        }
    }
}

extension [String] {
    fileprivate func asyncMap(_ transform: (String) async throws -> String) async throws -> [String] {
        var all: [String] = []
        for element in self { all.append(try await transform(element)) }
        return all
    }
}
