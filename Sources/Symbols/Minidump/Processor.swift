// SPDX-License-Identifier: Apache-2.0

/// A processor whose stacks can be walked.
enum Processor: Sendable {
    case x86
    case amd64
    case arm
    case arm64

    /// Returns the processor for a number of MINIDUMP_SYSTEM_INFO.
    init?(number: UInt16) {
        switch number {
        case 0, 10: self = .x86
        case 5: self = .arm
        case 9: self = .amd64
        // The second is Breakpad's from before Windows had a number.
        case 12, 0x8003: self = .arm64
        default: return nil
        }
    }

    /// The name as symbol files and Sentry write it.
    var name: String {
        switch self {
        case .x86: "x86"
        case .amd64: "x86_64"
        case .arm: "arm"
        case .arm64: "arm64"
        }
    }

    /// The size of an address in bytes.
    var width: Int { self == .amd64 || self == .arm64 ? 8 : 4 }

    /// The registers that a thread's context has, in the order of `CPUState.values`.
    var registers: [String] {
        switch self {
        case .x86: ["eip", "esp", "ebp", "ebx", "esi", "edi", "eax", "ecx", "edx"]
        case .amd64: Processor.namesOfAMD64
        case .arm: Processor.namesOfARM
        case .arm64: Processor.namesOfARM64
        }
    }

    private static let namesOfAMD64 = [
        "rip", "rsp", "rbp", "rbx", "r12", "r13", "r14", "r15", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11",
    ]
    private static let namesOfARM = ["pc", "sp", "r11", "r7", "r4", "r5", "r6", "r8", "r9", "r10", "lr", "r0", "r1", "r2", "r3", "r12"]
    private static let namesOfARM64 =
        ["pc", "sp", "x29"] + (19...28).map { "x\($0)" } + ["lr"] + (0...18).map { "x\($0)" }

    /// The positions of the registers in a context record, in the order of `registers`.
    var places: [Int] {
        switch self {
        case .x86: [0xb8, 0xc4, 0xb4, 0xa4, 0xa0, 0x9c, 0xb0, 0xac, 0xa8]
        case .amd64:
            [0xf8, 0x98, 0xa0, 0x90, 0xd8, 0xe0, 0xe8, 0xf0, 0x78, 0x80, 0x88, 0xa8, 0xb0, 0xb8, 0xc0, 0xc8, 0xd0]
        case .arm: [15, 13, 11, 7, 4, 5, 6, 8, 9, 10, 14, 0, 1, 2, 3, 12].map { 4 + 4 * $0 }
        case .arm64: ([32, 31, 29] + Array(19...28) + [30] + Array(0...18)).map { 8 + 8 * $0 }
        }
    }

    /// The number of registers after program counter and stack pointer that a function leaves as they were for its caller.
    var preserved: Int {
        switch self {
        case .x86: 4
        case .amd64: 6
        case .arm: 8
        case .arm64: 11
        }
    }

    /// Returns the index of a register under any of the names that unwind records use.
    func index(of name: String) -> Int? {
        registers.firstIndex(of: alias(name))
    }

    private func alias(_ name: String) -> String {
        switch (self, name) {
        case (.arm64, "fp"): "x29"
        case (.arm64, "x30"): "lr"
        case (.arm64, "x31"): "sp"
        case (.arm, "fp"): "r11"
        case (.arm, "r13"): "sp"
        case (.arm, "r14"): "lr"
        case (.arm, "r15"): "pc"
        default: name
        }
    }
}

/// The registers of a thread, or as far as known of one of its callers.
struct CPUState: Sendable, Equatable {
    let processor: Processor
    /// The values in the order of `Processor.registers`.
    private(set) var values: [UInt64?]

    init(_ processor: Processor, pc: UInt64, sp: UInt64) {
        self.processor = processor
        values = [UInt64?](repeating: nil, count: processor.registers.count)
        (self.pc, self.sp) = (pc, sp)
    }

    /// Reads a context record. Nil if it is too short.
    init?(_ processor: Processor, _ bytes: DumpBytes, at context: Range<Int>) {
        let width = processor.width
        let values = processor.places.map { place in
            place + width <= context.count ? bytes.word(context.lowerBound + place, width) : nil
        }
        guard values.allSatisfy({ $0 != nil }) else { return nil }
        self.processor = processor
        self.values = values
    }

    var pc: UInt64 {
        get { values[0] ?? 0 }
        set { values[0] = truncated(newValue) }
    }

    var sp: UInt64 {
        get { values[1] ?? 0 }
        set { values[1] = truncated(newValue) }
    }

    /// The frame pointer. Apple's 32-bit ARM uses `r7`.
    func framePointer(ofApple isApple: Bool = false) -> UInt64? { values[processor == .arm && isApple ? 3 : 2] }

    subscript(index: Int) -> UInt64? {
        get { values[index] }
        set { values[index] = newValue.map(truncated) }
    }

    subscript(name: String) -> UInt64? {
        get { processor.registers.firstIndex(of: name).flatMap { values[$0] } }
        set { if let index = processor.registers.firstIndex(of: name) { self[index] = newValue } }
    }

    /// Returns the state of a caller: the registers that functions preserve are as they are here.
    func caller(pc: UInt64, sp: UInt64) -> CPUState {
        var state = CPUState(processor, pc: pc, sp: sp)
        for index in 2..<2 + processor.preserved { state.values[index] = values[index] }
        return state
    }

    /// The registers with their values, as shown with a report.
    var described: [(name: String, value: UInt64)] {
        zip(processor.registers, values).compactMap { name, value in value.map { (name, $0) } }
    }

    private func truncated(_ value: UInt64) -> UInt64 { processor.width == 8 ? value : value & 0xffff_ffff }
}
