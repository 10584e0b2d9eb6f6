// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import Testing
import WrittenDumps

@testable import Symbols

/// The parts of a dump that are read besides its stacks.
@Suite struct MinidumpTests {
    private static let id: [UInt8] = Array(0xa0...0xb3)

    private static func report(_ dump: MinidumpWriter) throws -> CrashReport { try Minidump(dump.bytes).report() }

    private static func linux() -> MinidumpWriter {
        var dump = MinidumpWriter(.amd64, .linux, details: "Linux 6.1.0-13-amd64 #1 SMP")
        dump.add(module: "/app/shop", at: 0x40_0000, size: 0x1_0000, identity: MinidumpWriter.elf(id))
        dump.add(module: "/lib/libc.so.6", at: 0x7f00_0000_0000, size: 0x1000)
        dump.add(thread: 7, ["rip": 0x40_1000, "rsp": 0x7000, "rax": 0x2a], stackAt: 0x7000, words: [0], name: "main")
        dump.add(thread: 8, ["rip": 0x7f00_0000_0010, "rsp": 0x9000], stackAt: 0x9000, words: [0], name: "wörker")
        return dump
    }

    // MARK: Content

    @Test func `threads, binaries and the system are read`() throws {
        var dump = Self.linux()
        dump.time = 1_700_000_000
        dump.crash(thread: 7, code: 11, flags: 1, address: 0x10)
        let report = try Self.report(dump)
        #expect(report.kind == .fatal && report.platform == "native" && report.time == Timestamp(milliseconds: 1_700_000_000_000))
        #expect(report.type == "SIGSEGV / SEGV_MAPERR" && report.reason == "SIGSEGV / SEGV_MAPERR at 0x10")
        #expect(report.exceptions.map(\.mechanism.signal) == ["SIGSEGV"] && report.exceptions.map(\.thread) == [7])
        #expect(report.contextValue("platform") == "linux" && report.contextValue("os_version") == "6.1.0-13-amd64")
        #expect(report.threads.map(\.name) == ["main", "wörker"] && report.threads.map(\.crashed) == [true, false])
        let shop = try #require(report.images.first)
        #expect(shop.debugID?.text == "a3a2a1a0-a5a4-a7a6-a8a9-aaabacadaeaf" && shop.codeID == Self.id.map { String($0, radix: 16) }.joined())
        #expect(shop.codeFile == "/app/shop" && shop.architecture == "x86_64" && shop.type == "elf" && shop.address == 0x40_0000)
        #expect(report.images.count == 2 && report.images[1].debugID == nil)
        let frame = try #require(report.threads[0].frames.last)
        #expect(frame.address == 0x40_1000 && frame.package == "/app/shop" && frame.imageAddress == 0x40_0000 && frame.trust == .context)
        #expect(frame.registers.contains(CustomKey("rax", "0x2a")) && report.threads[1].frames.allSatisfy(\.registers.isEmpty))
    }

    @Test func `a binary of Windows has its GUID and age, one of Apple its UUID`() throws {
        let guid = Array(Self.id.prefix(16))
        for (system, id, code) in [
            (MinidumpWriter.System.windows, "a3a2a1a0-a5a4-a7a6-a8a9-aaabacadaeaf-2", "5F00000120000"),
            (.macOS, "a3a2a1a0-a5a4-a7a6-a8a9-aaabacadaeaf", "a3a2a1a0a5a4a7a6a8a9aaabacadaeaf"),
        ] {
            var dump = MinidumpWriter(.amd64, system)
            let name = system == .windows ? #"C:\build\shop.pdb"# : "shop"
            dump.add(module: "shop.exe", at: 0x1000, size: 0x2_0000, identity: MinidumpWriter.guid(guid, age: system == .windows ? 2 : 0, name))
            dump.add(thread: 1, ["rip": 0x1010, "rsp": 0x7000])
            let image = try #require(try Self.report(dump).images.first)
            #expect(image.debugID?.text == id && image.debugFile == name)
            #expect(image.codeID?.lowercased() == code.lowercased())
        }
    }

    @Test func `binaries without an identity have none`() throws {
        for identity in [
            [], [1], Array("LEpB".utf8), MinidumpWriter.elf([0, 0, 0, 0]), MinidumpWriter.guid([UInt8](repeating: 0, count: 16), age: 1, "x"),
            Array("RSDS".utf8) + Self.id.prefix(10), Array("ABCD".utf8) + Self.id,
        ] as [[UInt8]] {
            var dump = MinidumpWriter(.amd64, .linux)
            dump.add(module: "shop", at: 0x1000, size: 0x1000, identity: identity)
            dump.add(thread: 1, ["rip": 0x1010, "rsp": 0x7000])
            let image = try #require(try Self.report(dump).images.first)
            #expect(image.debugID == nil, "\(identity)")
        }
    }

    @Test func `annotations of Crashpad become custom keys, and its client the installation`() throws {
        var dump = Self.linux()
        dump.add(
            annotations: [("prod", "Shop"), ("", "no name"), ("ver", "2.1"), ("long", String(repeating: "x", count: 5_000))], client: Array(1...16))
        let report = try Self.report(dump)
        #expect(report.installation == "04030201-0605-0807-090a-0b0c0d0e0f10")
        #expect(report.customKeys.prefix(2) == [CustomKey("prod", "Shop"), CustomKey("ver", "2.1")])
        #expect(report.customKeys.last?.value.count == DumpBytes.textBytes)
    }

    // MARK: Faults

    @Test(
        arguments: [
            (11, 2, "SIGSEGV / SEGV_ACCERR", 0x10), (11, 0x80, "SIGSEGV / SI_KERNEL", 0x10), (6, 0xffff_fffa, "SIGABRT / SI_TKILL", nil),
            (8, 1, "SIGFPE / FPE_INTDIV", 0x10), (5, 1, "SIGTRAP / TRAP_BRKPT", 0x10), (77, 0, "signal 77", nil), (7, 900, "SIGBUS", 0x10),
            (0xffff_ffff, 0, "DUMP_REQUESTED", nil),
        ] as [(UInt32, UInt32, String, UInt64?)])
    func `a signal of Linux has its name and detail`(code: UInt32, flags: UInt32, name: String, address: UInt64?) throws {
        var dump = Self.linux()
        dump.crash(thread: 7, code: code, flags: flags, address: 0x10)
        let report = try Self.report(dump)
        #expect(report.type == name && report.reason == address.map { "\(name) at 0x\(String($0, radix: 16))" })
    }

    @Test(
        arguments: [
            (0xc000_0005, [0, 0x45], "EXCEPTION_ACCESS_VIOLATION_READ"), (0xc000_0005, [1, 0x45], "EXCEPTION_ACCESS_VIOLATION_WRITE"),
            (0xc000_0005, [8, 0x45], "EXCEPTION_ACCESS_VIOLATION_EXEC"), (0xc000_0005, [], "EXCEPTION_ACCESS_VIOLATION"),
            (0xc000_0409, [3], "FAST_FAIL_CORRUPT_LIST_ENTRY"), (0xc000_0409, [999], "STATUS_STACK_BUFFER_OVERRUN"),
            (0xe06d_7363, [], "Unhandled C++ Exception"), (0xdead_beef, [], "0xdeadbeef"),
        ] as [(UInt32, [UInt64], String)])
    func `an exception of Windows has its name`(code: UInt32, parameters: [UInt64], name: String) throws {
        var dump = MinidumpWriter(.x86, .windows)
        dump.add(thread: 1, ["eip": 0x1010, "esp": 0x7000])
        dump.crash(thread: 1, code: code, address: 0x1010, parameters: parameters)
        let report = try Self.report(dump)
        #expect(report.type == name && report.reason == (parameters.count > 1 ? "\(name) at 0x45" : nil))
        #expect(report.contextValue("os_version") == "10.2.77")
    }

    @Test(
        arguments: [
            (1, 1, "EXC_BAD_ACCESS / KERN_INVALID_ADDRESS", nil), (2, 1, "EXC_BAD_INSTRUCTION / EXC_I386_INVOP", nil),
            (5, 0x10002, "EXC_SOFTWARE / EXC_ABORT", "SIGABRT"), (10, 0x0b10_0000, "EXC_CRASH / SIGSEGV", "SIGSEGV"), (99, 0, "EXC_99", nil),
        ] as [(UInt32, UInt32, String, String?)])
    func `an exception of Apple's kernel has its name`(code: UInt32, flags: UInt32, name: String, signal: String?) throws {
        var dump = MinidumpWriter(.amd64, .macOS)
        dump.add(thread: 1, ["rip": 0x1010, "rsp": 0x7000])
        dump.crash(thread: 1, code: code, flags: flags, address: 0x10)
        let report = try Self.report(dump)
        #expect(report.type == name && report.exceptions.first?.mechanism.signal == signal)
    }

    @Test func `a dump that was requested names the thread that asked for it`() throws {
        var dump = Self.linux()
        dump.add(stream: 0x4767_0001, MinidumpWriter.number(UInt32(3)) + MinidumpWriter.number(UInt32(99)) + MinidumpWriter.number(UInt32(8)))
        let report = try Self.report(dump)
        #expect(report.type == "DUMP_REQUESTED" && report.exceptions.map(\.thread) == [8])
        #expect(report.threads.map(\.current) == [false, true] && report.threads.allSatisfy { !$0.crashed })
    }

    // MARK: Invalid dumps

    @Test func `the reason says why a file cannot be read`() throws {
        func error(_ bytes: [UInt8]) -> MinidumpError? {
            do throws(MinidumpError) { _ = try Minidump(bytes) } catch { return error }
            return nil
        }
        let whole = Self.linux().bytes
        #expect(error([]) == .unknownFormat && error(Array("not a dump".utf8)) == .unknownFormat)
        #expect(error(Array(whole.prefix(20))) == .truncated && error(Array(whole.prefix(40))) == .truncated)
        #expect(error(Array(whole.prefix(500))) == .withoutSystem || error(Array(whole.prefix(500))) == .withoutThreads)
        var other = whole
        other[4] = 0
        #expect(error(other) == .unknownVersion)
        #expect(error(MinidumpWriter(.amd64, .linux).bytes) == .withoutThreads)
        #expect(error(whole) == nil)
    }

    @Test func `no prefix and no changed word makes the reader trap`() throws {
        var dump = Self.linux()
        dump.add(annotations: [("a", "b")])
        dump.crash(thread: 7, code: 11)
        let whole = dump.bytes
        for end in whole.indices { if let cut = try? Minidump(Array(whole.prefix(end))) { _ = cut.report() } }
        for place in stride(from: 0, to: whole.count - 4, by: 4) {
            for word in [
                [0xff, 0xff, 0xff, 0xff], [0xff, 0xff, 0xff, 0x7f], [0, 0, 0, 0x80], [UInt8(whole.count & 0xff), UInt8(whole.count >> 8), 0, 0],
            ] as [[UInt8]] {
                var changed = whole
                changed.replaceSubrange(place..<place + 4, with: word)
                if let read = try? Minidump(changed) { _ = read.report() }
            }
        }
    }

    @Test func `claimed counts are bounded by the file`() throws {
        for stream: UInt32 in [3, 4, 5, 9, 16, 24] {
            var dump = MinidumpWriter(.amd64, .linux)
            dump.add(stream: stream, [UInt8](repeating: 0xff, count: 64))
            dump.add(thread: 1, ["rip": 1, "rsp": 1])
            dump.crash(thread: 1, code: 11)
            _ = try Self.report(dump)
        }
    }
}
