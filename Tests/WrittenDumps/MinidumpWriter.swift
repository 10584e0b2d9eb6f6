// SPDX-License-Identifier: Apache-2.0

/// Writes minidumps as the format's public description has them.
///
///     var dump = MinidumpWriter(.amd64, .linux)
///     dump.add(module: "/app/shop", at: 0x400000, size: 0x10000, identity: MinidumpWriter.elf(id))
///     dump.add(thread: 1, ["rip": 0x401000, "rsp": 0x7000], stackAt: 0x7000, words: [0x401020])
///     dump.crash(thread: 1, code: 11, flags: 1, address: 0x10)
///     dump.bytes
package struct MinidumpWriter: Sendable {
    package enum Processor: UInt16, Sendable {
        case x86 = 0
        case arm = 5
        case amd64 = 9
        case arm64 = 12
    }

    package enum System: UInt32, Sendable {
        case windows = 2
        case macOS = 0x8101
        case linux = 0x8201
        case android = 0x8203
    }

    private static let mostStreams = 12

    private let processor: Processor
    /// Everything after the header and the directory.
    private var data: [UInt8] = []
    private var directory: [(kind: UInt32, size: Int, place: Int)] = []
    private var modules: [[UInt8]] = []
    private var threads: [[UInt8]] = []
    private var memories: [[UInt8]] = []
    private var names: [[UInt8]] = []
    /// The positions of the threads' registers.
    private var contexts: [UInt32: Int] = [:]
    /// The time of the dump in seconds since 1970.
    package var time: UInt32 = 0

    package init(_ processor: Processor, _ system: System, details: String = "") {
        self.processor = processor
        let text = put(text: details)
        add(
            stream: 7,
            Self.number(processor.rawValue) + Self.number(UInt16(6)) + Self.number(UInt16(1)) + [4, 1] + Self.number(UInt32(10))
                + Self.number(UInt32(2))
                + Self.number(UInt32(77)) + Self.number(system.rawValue) + Self.number(text) + [UInt8](repeating: 0, count: 28))
    }

    // MARK: Content

    package mutating func add(stream kind: UInt32, _ body: [UInt8]) {
        directory.append((kind, body.count, put(body)))
    }

    package mutating func add(module name: String, at start: UInt64, size: UInt32, identity: [UInt8] = []) {
        let (text, record) = (put(text: name), put(identity))
        modules.append(
            Self.number(start) + Self.number(size) + Self.number(UInt32(0)) + Self.number(UInt32(0x5f00_0001)) + Self.number(text)
                + [UInt8](repeating: 0, count: 52) + Self.number(UInt32(identity.count)) + Self.number(UInt32(record))
                + [UInt8](repeating: 0, count: 24))
    }

    /// Adds a thread with a stack of words as wide as the processor's addresses.
    package mutating func add(
        thread id: UInt32, _ registers: [String: UInt64], stackAt start: UInt64 = 0, words: [UInt64] = [], name: String? = nil
    ) {
        let stack = words.flatMap { Self.number($0).prefix(width) }
        let place = put(stack)
        let context = put(self.context(registers))
        contexts[id] = context
        threads.append(
            Self.number(id) + [UInt8](repeating: 0, count: 20) + Self.number(start) + Self.number(UInt32(stack.count)) + Self.number(UInt32(place))
                + Self.number(UInt32(layout.size)) + Self.number(UInt32(context)))
        if let name { names.append(Self.number(id) + Self.number(UInt64(put(text: name)))) }
    }

    package mutating func add(memory words: [UInt64], at start: UInt64) {
        let bytes = words.flatMap { Self.number($0).prefix(width) }
        memories.append(Self.number(start) + Self.number(UInt32(bytes.count)) + Self.number(UInt32(put(bytes))))
    }

    /// Appends the registers of a thread that `add(stream:)` adds.
    package mutating func put(context registers: [String: UInt64]) -> Int { put(context(registers)) }

    /// Adds the exception, with the registers of its thread unless others are given.
    package mutating func crash(
        thread: UInt32, code: UInt32, flags: UInt32 = 0, address: UInt64 = 0, parameters: [UInt64] = [], registers: [String: UInt64]? = nil
    ) {
        let own = registers.map { put(context($0)) } ?? contexts[thread]
        let padded = parameters + [UInt64](repeating: 0, count: 15 - parameters.count)
        add(
            stream: 6,
            Self.number(thread) + Self.number(UInt32(0)) + Self.number(code) + Self.number(flags) + Self.number(UInt64(0)) + Self.number(address)
                + Self.number(UInt32(parameters.count)) + Self.number(UInt32(0)) + padded.flatMap { Self.number($0) }
                + Self.number(UInt32(own == nil ? 0 : layout.size)) + Self.number(UInt32(own ?? 0)))
    }

    /// Adds Crashpad's annotations of the process.
    package mutating func add(annotations: [(String, String)], client: [UInt8] = [UInt8](repeating: 0, count: 16)) {
        let pairs = annotations.flatMap { name, value in
            Self.number(UInt32(put(utf8: name))) + Self.number(UInt32(put(utf8: value)))
        }
        let list = Self.number(UInt32(annotations.count)) + pairs
        let place = put(list)
        add(
            stream: 0x4350_0001,
            Self.number(UInt32(1)) + [UInt8](repeating: 0, count: 16) + client + Self.number(UInt32(list.count)) + Self.number(UInt32(place))
                + [UInt8](repeating: 0, count: 8))
    }

    /// The file.
    package var bytes: [UInt8] {
        var file = self
        file.add(stream: 4, Self.list(modules))
        if !threads.isEmpty { file.add(stream: 3, Self.list(threads)) }
        if !memories.isEmpty { file.add(stream: 5, Self.list(memories)) }
        if !names.isEmpty { file.add(stream: 24, Self.list(names)) }
        let header =
            Self.number(UInt32(0x504d_444d)) + Self.number(UInt32(0xa793)) + Self.number(UInt32(file.directory.count)) + Self.number(UInt32(32))
            + Self.number(UInt32(0)) + Self.number(time) + Self.number(UInt64(0))
        let entries = file.directory.flatMap { Self.number($0.kind) + Self.number(UInt32($0.size)) + Self.number(UInt32($0.place)) }
        return header + entries + [UInt8](repeating: 0, count: 12 * (Self.mostStreams - file.directory.count)) + file.data
    }

    // MARK: Identities

    /// A CodeView record of Breakpad with an ELF build ID.
    package static func elf(_ id: [UInt8]) -> [UInt8] { Array("LEpB".utf8) + id }

    /// A CodeView record of a Windows or Apple binary, with the bytes of a GUID as the file has them.
    package static func guid(_ id: [UInt8], age: UInt32, _ name: String) -> [UInt8] {
        Array("RSDS".utf8) + id + number(age) + Array(name.utf8) + [0]
    }

    // MARK: Parts

    private var width: Int { processor == .amd64 || processor == .arm64 ? 8 : 4 }

    /// The size of a context record, and the positions of registers in it.
    private var layout: (size: Int, places: [String: Int]) {
        switch processor {
        case .amd64:
            let names = ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip"]
            return (1_232, Self.places(names, from: 0x78, step: 8))
        case .x86:
            var places = Self.places(["edi", "esi", "ebx", "edx", "ecx", "eax", "ebp", "eip"], from: 0x9c, step: 4)
            places["esp"] = 0xc4
            return (716, places)
        case .arm: return (368, Self.places((0...12).map { "r\($0)" } + ["sp", "lr", "pc"], from: 4, step: 4))
        case .arm64: return (912, Self.places((0...28).map { "x\($0)" } + ["fp", "lr", "sp", "pc"], from: 8, step: 8))
        }
    }

    private static func places(_ names: [String], from start: Int, step: Int) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, start + step * $0) })
    }

    private func context(_ registers: [String: UInt64]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: layout.size)
        for (name, value) in registers {
            guard let place = layout.places[name] else { preconditionFailure("no register \(name)") }
            bytes.replaceSubrange(place..<place + width, with: Self.number(value).prefix(width))
        }
        return bytes
    }

    private static func list(_ entries: [[UInt8]]) -> [UInt8] { number(UInt32(entries.count)) + entries.flatMap { $0 } }

    /// Appends bytes and returns their position in the file, for streams that refer to them.
    @discardableResult
    package mutating func put(_ bytes: [UInt8]) -> Int {
        let place = 32 + 12 * Self.mostStreams + data.count
        data += bytes
        return place
    }

    package mutating func put(text: String) -> UInt32 {
        let units = text.utf16.flatMap { Self.number($0) }
        return UInt32(put(Self.number(UInt32(units.count)) + units + [0, 0]))
    }

    private mutating func put(utf8 text: String) -> Int { put(Self.number(UInt32(text.utf8.count)) + Array(text.utf8) + [0]) }

    package static func number(_ value: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
