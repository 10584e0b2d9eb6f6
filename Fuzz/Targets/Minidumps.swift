// SPDX-License-Identifier: Apache-2.0

import Crashes
import Ingest
import Symbols
import WrittenDumps

/// Minidumps. A report is within its limits, is stored and read as the same, and is the same with unwind records that lead nowhere.
enum Minidumps {
    private static let stored = StoredCrashes(parser: Given.parser)
    /// The leak check does not see the array in an enumeration.
    private static let records = Array(
        "MODULE Linux x86_64 0 a\nFUNC 0 1000 0 f\nSTACK CFI INIT 0 ffffffff .cfa: $rsp 16 + .ra: .cfa 8 - ^ $rbx: .cfa ^\n".utf8)
    private static let symbols = try? BreakpadFile(bytes: records)

    static func run(_ bytes: [UInt8]) {
        guard let dump = try? Minidump(bytes) else { return }
        accepted()
        check(dump.report())
        let report = dump.report { _ in symbols }
        check(report)
        require(dump.report { _ in symbols } == report, "walked differently the second time")
    }

    private static func check(_ report: CrashReport) {
        require(report.kind == .fatal && !report.type.isEmpty, "a crash without a type")
        require(report.images.count <= CrashLimits.images && report.threads.count <= CrashLimits.threads, "more than a report keeps")
        require(report.threads.allSatisfy { $0.frames.count <= CrashLimits.threadFrames }, "a stack that is too deep")
        require(report.threads.reduce(0) { $0 + $1.frames.count } <= 8_000, "too many frames")
        require(report.threads.joinedFrames.allSatisfy { $0.trust != nil && $0.address != nil }, "a frame from nowhere")
        var kept = CrashReport(id: "1", kind: .nonfatal, level: .error, time: Given.received, type: "Boom")
        kept.read(.report(report))
        require(kept.json.count <= CrashLimits.reportBytes, "a report of \(kept.json.count) bytes")
        require(stored.report(kept.json) == kept, "a report that is stored differently")
    }
}

extension [CrashThread] {
    fileprivate var joinedFrames: [StackFrame] { flatMap(\.frames) }
}

/// Unwind records of Breakpad files, applied to a stack of each processor.
enum UnwindRecords {
    /// The stack has small numbers, addresses of itself and addresses in the program.
    private static let dumps = [MinidumpWriter.Processor.amd64, .x86, .arm64, .arm].compactMap { processor in
        try? Minidump(dump(of: processor))
    }

    private static func dump(of processor: MinidumpWriter.Processor) -> [UInt8] {
        var dump = MinidumpWriter(processor, processor == .x86 ? .windows : .linux)
        let id = Array(UInt8(1)...16)
        dump.add(module: "a", at: 0x1000, size: 0x10000, identity: processor == .x86 ? MinidumpWriter.guid(id, age: 1, "a") : MinidumpWriter.elf(id))
        let names: [MinidumpWriter.Processor: (String, String)] = [.amd64: ("rip", "rsp"), .x86: ("eip", "esp")]
        let (pc, sp) = names[processor] ?? ("pc", "sp")
        let words = (0..<64).map { [UInt64(0), 8, 0x2010, 0x8000 + UInt64($0) * 8][$0 % 4] }
        for (thread, address) in [UInt64(0x1000), 0x2000, 0x2010].enumerated() {
            dump.add(thread: UInt32(thread), [pc: address, sp: 0x8000], stackAt: 0x8000, words: words)
        }
        return dump.bytes
    }

    static func run(_ bytes: [UInt8]) {
        guard let file = try? BreakpadFile(bytes: bytes), let unwind = try? BreakpadUnwind(bytes: bytes) else { return }
        accepted()
        for dump in dumps {
            let report = dump.report { _ in file }
            require(report.threads.allSatisfy { !$0.frames.isEmpty && $0.frames.count <= 70 }, "a stack deeper than its words")
        }
        let words = bytes.split { $0 == 0x20 || $0 == 0x0a }.prefix(32).compactMap { UInt64(String(decoding: $0, as: UTF8.self), radix: 16) }
        for address in words + [.max] {
            let rules = try? unwind.rules(at: address)
            require((try? unwind.rules(at: address)) == rules, "read differently the second time")
        }
    }
}
