// SPDX-License-Identifier: Apache-2.0

import Platform
import Symbols
import Testing

struct RefusedFileTests {
    @Test func `other files are not symbol files`() {
        for text in ["", "MODULE", "a text that is longer than eight bytes", "MODULAR Linux x86_64 7193BEE0742A21DB8CC905FCE5275ED00 a\n"] {
            #expect(throws: SymbolFileError.unknownFormat) { try SymbolFile.inspect(bytes: Array(text.utf8)) }
        }
        // A Java class file begins like a fat file.
        #expect(throws: SymbolFileError.unknownFormat) {
            try SymbolFile.inspect(bytes: [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 0x34] + [UInt8](repeating: 0, count: 4_000))
        }
        #expect(throws: SymbolFileError.unreadable) { try SymbolFile.inspect("/nowhere/at/all") }
    }

    @Test func `a file without an ID gets a hint`() throws {
        for text in ["MODULE Linux x86_64\n", "MODULE Linux x86_64 not-an-id a\n", "MODULE Linux x86_64 123 a\n"] {
            #expect(throws: SymbolFileError.withoutID(.breakpad)) { try SymbolFile.inspect(bytes: Array(text.utf8)) }
        }
        var arm = try Fixture.bytes(Fixture.arm)
        // LC_UUID is its first load command.
        arm[32] = 0x7f
        #expect(throws: SymbolFileError.withoutID(.machO)) { try SymbolFile.inspect(bytes: arm) }
        let elf = try Fixture.bytes(Fixture.elf).replacing("GNU\0".utf8, with: "GNO\0".utf8)
        #expect(throws: SymbolFileError.withoutID(.elf)) { try SymbolFile.inspect(bytes: elf) }
        #expect(SymbolFileError.withoutID(.elf).refusal.hint == "Link with --build-id.")
    }

    @Test func `an app's binary is not a dSYM`() throws {
        let bytes = try Fixture.bytes(Fixture.arm).replacing("__debug_info".utf8, with: "__debug_inf0".utf8)
        #expect(throws: SymbolFileError.withoutSymbols(.machO)) { try SymbolFile.inspect(bytes: bytes) }
    }

    @Test func `symbols outside the file are damage`() throws {
        for name in [Fixture.arm, Fixture.elf] {
            let bytes = try Fixture.bytes(name)
            let failure = #expect(throws: SymbolFileError.self) { try SymbolFile.inspect(bytes: Array(bytes[..<(bytes.count / 2)])) }
            guard case .damaged = failure else { return #expect(Bool(false), "\(name): \(String(describing: failure))") }
        }
    }

    // MARK: Inconsistent files

    @Test func `a truncated file is rejected`() throws {
        for bytes in [try Fixture.bytes(Fixture.elf), try Fixture.fat(), try Fixture.fat(wide: true)] {
            for end in Array(0..<300) + Array(stride(from: 300, to: bytes.count, by: 61)) + [bytes.count - 1] {
                #expect(throws: SymbolFileError.self) { try SymbolFile.inspect(bytes: Array(bytes[..<end])) }
            }
        }
        // Bytes after the debug information are not needed.
        let arm = try Fixture.bytes(Fixture.arm)
        for end in 0..<arm.count {
            if let file = try? SymbolFile.inspect(bytes: Array(arm[..<end])) { #expect(file == (try SymbolFile.inspect(bytes: arm))) }
        }
    }

    /// Replaces every number of the headers with extreme values: nothing traps or takes long.
    @Test func `wrong offsets and counts never trap`() throws {
        let lies: [[UInt8]] = [
            [0xff], [0xff, 0xff, 0xff, 0xff], [0x7f, 0xff, 0xff, 0xff], [UInt8](repeating: 0xff, count: 8), [0, 0, 0, 0],
        ]
        for bytes in [try Fixture.bytes(Fixture.arm), try Fixture.bytes(Fixture.elf), try Fixture.fat(), try Fixture.fat(wide: true)] {
            let tables = Array(0..<512) + Array((bytes.count - 840)..<bytes.count - 8)
            for place in tables {
                for lie in lies {
                    var bytes = bytes
                    bytes.replaceSubrange(place..<place + lie.count, with: lie)
                    let file = try? SymbolFile.inspect(bytes: bytes)
                    #expect(file.map { $0.objects.count <= 2 && !$0.objects.isEmpty } ?? true)
                }
            }
        }
    }
}
