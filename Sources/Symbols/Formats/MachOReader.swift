// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform

/// Reads Apple's binaries and dSYMs, single or with several architectures.
enum MachOReader {
    private static let fat: UInt32 = 0xcafe_babe
    private static let wideFat: UInt32 = 0xcafe_babf
    static let magics: Set<UInt32> = [fat, wideFat, 0xfeed_face, 0xcefa_edfe, 0xfeed_facf, 0xcffa_edfe]
    // Java class files begin like fat files, with a version above 44 in place of the count.
    private static let architectures: UInt32 = 32

    static func read(_ file: inout FileBytes) throws(SymbolFileError) -> [SymbolObject] {
        let head = try file.fields(at: 0, count: 8)
        let magic = try head.word32(0)
        guard magic == fat || magic == wideFat else { return [try MachObject.read(&file, at: 0, size: UInt64(file.count))] }
        let count = try head.word32(4)
        guard (1...architectures).contains(count) else { throw .unknownFormat }
        return try slices(&file, Int(count), wide: magic == wideFat)
    }

    private static func slices(_ file: inout FileBytes, _ count: Int, wide: Bool) throws(SymbolFileError) -> [SymbolObject] {
        let width = wide ? 32 : 20
        let table = try file.fields(at: 8, count: UInt64(count * width))
        var out: [SymbolObject] = []
        for entry in stride(from: 0, to: count * width, by: width) {
            let offset = try table.address(entry + 8, wide: wide), size = try table.address(entry + (wide ? 16 : 12), wide: wide)
            try file.check(offset, size, "an architecture is outside the file")
            out.append(try MachObject.read(&file, at: offset, size: size))
        }
        return out
    }
}

/// One architecture of a Mach-O file, read from its load commands.
private struct MachObject {
    private enum Command {
        static let segment: UInt32 = 0x1
        static let symbolTable: UInt32 = 0x2
        static let wideSegment: UInt32 = 0x19
        static let uuid: UInt32 = 0x1b
    }

    private let start: UInt64
    private let size: UInt64
    private var uuid: UUID128?
    private var object: SymbolObject

    static func read(_ file: inout FileBytes, at start: UInt64, size: UInt64) throws(SymbolFileError) -> SymbolObject {
        try file.check(start, max(size, 32), "an architecture is outside the file")
        let magic = try file.fields(at: start, count: 4).word32(0)
        let order: ByteOrder = magic == 0xfeed_face || magic == 0xfeed_facf ? .big : .little
        guard magic == 0xfeed_face || magic == 0xcefa_edfe || magic == 0xfeed_facf || magic == 0xcffa_edfe else {
            throw .damaged("an architecture in it is not a Mach-O file")
        }
        let wide = magic == 0xfeed_facf || magic == 0xcffa_edfe
        let head = try file.fields(at: start, count: wide ? 32 : 28, order: order)
        let commands = try file.fields(at: start + (wide ? 32 : 28), count: UInt64(try head.word32(20)), order: order)
        var reader = MachObject(start: start, size: size, architecture: MachArchitecture.name(try head.word32(4), try head.word32(8)))
        try reader.readCommands(commands, count: try head.word32(16), in: file)
        guard let uuid = reader.uuid else { throw .withoutID(.machO) }
        reader.object.debugID = DebugID(uuid: uuid)
        return reader.object
    }

    private init(start: UInt64, size: UInt64, architecture: String) {
        self.start = start
        self.size = size
        object = SymbolObject(debugID: DebugID(uuid: UUID128(high: 0, low: 0)), architecture: architecture)
    }

    private mutating func readCommands(_ commands: Fields, count: UInt32, in file: FileBytes) throws(SymbolFileError) {
        var place = 0
        for _ in 0..<count {
            let length = Int(try commands.word32(place + 4))
            guard length >= 8 else { throw .damaged("a load command is shorter than its headerer") }
            try read(try commands.part(place, length), in: file)
            place += length
        }
    }

    private mutating func read(_ command: Fields, in file: FileBytes) throws(SymbolFileError) {
        switch try command.word32(0) {
        case Command.uuid: uuid = UUID128(networkBytes: try command.part(8, 16).bytes)
        case Command.segment: try readSegment(command, wide: false, in: file)
        case Command.wideSegment: try readSegment(command, wide: true, in: file)
        default: break
        }
    }

    private mutating func readSegment(_ command: Fields, wide: Bool, in file: FileBytes) throws(SymbolFileError) {
        switch try command.name(8, 16) {
        case "__TEXT": object.preferredAddress = try command.address(24, wide: wide)
        case "__DWARF": try readSections(command, wide: wide, in: file)
        default: break
        }
    }

    private mutating func readSections(_ command: Fields, wide: Bool, in file: FileBytes) throws(SymbolFileError) {
        let width = wide ? 80 : 68
        var place = wide ? 72 : 56
        for _ in 0..<(try command.word32(wide ? 64 : 48)) {
            let section = try command.part(place, width)
            let name = try section.name(0, 16)
            if name == "__debug_info" || name == "__zdebug_info" { try found(section, wide: wide, in: file) }
            place += width
        }
    }

    private mutating func found(_ section: Fields, wide: Bool, in file: FileBytes) throws(SymbolFileError) {
        let length = try section.address(wide ? 40 : 36, wide: wide), offset = UInt64(try section.word32(wide ? 48 : 40))
        guard offset <= size, length <= size - offset else { throw .damaged("its debug information is outside the file") }
        object.hasDebugInfo = length > 0
    }
}

enum MachArchitecture {
    private static let families: [UInt32: String] = [
        7: "i386", 0x0100_0007: "x86_64", 12: "arm", 0x0100_000c: "arm64", 0x0200_000c: "arm64_32", 18: "ppc", 0x0100_0012: "ppc64",
    ]
    private static let members: [[UInt32]: String] = [
        [0x0100_0007, 8]: "x86_64h", [0x0100_000c, 2]: "arm64e", [12, 6]: "armv6", [12, 9]: "armv7", [12, 11]: "armv7s", [12, 12]: "armv7k",
    ]

    /// Returns the name in Apple's and LLVM's tools. The upper byte of the subtype has another meaning.
    static func name(_ type: UInt32, _ subtype: UInt32) -> String {
        members[[type, subtype & 0x00ff_ffff]] ?? families[type] ?? "cpu-\(type)"
    }
}
