// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform

/// Reads ELF binaries of Linux and Android, with their DWARF or separated from it.
struct ELFReader {
    static let magic: UInt32 = 0x7f45_4c46

    private enum Kind {
        static let loaded: UInt32 = 1
        static let noteSegment: UInt32 = 4
        static let symbolTable: UInt32 = 2
        static let noteSection: UInt32 = 7
        static let empty: UInt32 = 8
    }

    private static let names: [UInt16: String] = [
        3: "x86", 8: "mips", 20: "ppc", 21: "ppc64", 40: "arm", 62: "x86_64", 183: "arm64", 243: "riscv64", 258: "loongarch64",
    ]

    private let wide: Bool
    private let order: ByteOrder
    private let head: Fields
    private var buildID: [UInt8]?
    /// The remaining number of note sections to read. Linkers write a few, but a file may claim many at one position.
    private var notesLeft = 64
    private var object: SymbolObject

    static func read(_ file: inout FileBytes) throws(SymbolFileError) -> SymbolObject {
        var reader = try ELFReader(&file)
        try reader.readSections(&file)
        try reader.readSegments(&file)
        guard let id = reader.buildID, !id.isEmpty else { throw .withoutID(.elf) }
        reader.object.debugID = BuildID.debugID(id, order: reader.order)
        return reader.object
    }

    private init(_ file: inout FileBytes) throws(SymbolFileError) {
        let kind = try file.fields(at: 4, count: 2).bytes
        guard (1...2).contains(kind[0]), (1...2).contains(kind[1]) else { throw .damaged("its word size or byte order is unknown") }
        wide = kind[0] == 2
        order = kind[1] == 1 ? .little : .big
        head = try file.fields(at: 0, count: wide ? 64 : 52, order: order)
        let machine = try head.word16(18)
        object = SymbolObject(
            debugID: DebugID(uuid: UUID128(high: 0, low: 0)), architecture: ELFReader.names[machine] ?? "machine-\(machine)")
    }

    // MARK: Sections

    private mutating func readSections(_ file: inout FileBytes) throws(SymbolFileError) {
        let offset = try head.address(wide ? 40 : 32, wide: wide)
        guard offset > 0 else { return }
        let width = try entryWidth(wide ? 58 : 46, least: wide ? 64 : 40)
        let first = try section(file.fields(at: offset, count: UInt64(width), order: order))
        // A number too large for its field is in the first section header.
        let count = UInt64(try head.word16(wide ? 60 : 48)), names = UInt64(try head.word16(wide ? 62 : 50))
        let table = try entries(&file, offset, count: count == 0 ? first.size : count, width)
        let texts = try texts(&file, table, names == 0xffff ? UInt64(first.link) : names, width)
        for place in stride(from: 0, to: table.bytes.count, by: width) {
            try read(try section(try table.part(place, width)), texts, &file)
        }
    }

    private struct Section {
        var name: Int
        var kind: UInt32
        var offset: UInt64
        var size: UInt64
        var link: UInt32
    }

    private func section(_ entry: Fields) throws(SymbolFileError) -> Section {
        Section(
            name: Int(try entry.word32(0)), kind: try entry.word32(4), offset: try entry.address(wide ? 24 : 16, wide: wide),
            size: try entry.address(wide ? 32 : 20, wide: wide), link: try entry.word32(wide ? 40 : 24))
    }

    private func texts(_ file: inout FileBytes, _ table: Fields, _ number: UInt64, _ width: Int) throws(SymbolFileError) -> Fields {
        guard number < UInt64(table.bytes.count / width) else { throw .damaged("its sections have no names") }
        let section = try section(try table.part(Int(number) * width, width))
        return try file.fields(at: section.offset, count: min(section.size, 1 << 20), order: order)
    }

    private mutating func read(_ section: Section, _ texts: Fields, _ file: inout FileBytes) throws(SymbolFileError) {
        guard section.kind != Kind.empty, section.size > 0 else { return }
        if section.kind == Kind.noteSection { try readNotes(&file, section.offset, section.size) }
        let isDebugInfo = [".debug_info", ".zdebug_info"].contains(try name(section, texts))
        guard isDebugInfo || section.kind == Kind.symbolTable else { return }
        try file.check(section.offset, section.size, "its symbols are outside the file")
        if isDebugInfo { object.hasDebugInfo = true } else { object.hasSymbols = true }
    }

    private func name(_ section: Section, _ texts: Fields) throws(SymbolFileError) -> String {
        guard section.name < texts.bytes.count else { return "" }
        return try texts.name(section.name, min(16, texts.bytes.count - section.name))
    }

    // MARK: Segments

    private mutating func readSegments(_ file: inout FileBytes) throws(SymbolFileError) {
        let offset = try head.address(wide ? 32 : 28, wide: wide), count = UInt64(try head.word16(wide ? 56 : 44))
        guard offset > 0, count > 0 else { return }
        let width = try entryWidth(wide ? 54 : 42, least: wide ? 56 : 32)
        let table = try entries(&file, offset, count: count, width)
        var lowest: UInt64?
        for place in stride(from: 0, to: table.bytes.count, by: width) {
            let entry = try table.part(place, width)
            let kind = try entry.word32(0), address = try entry.address(wide ? 16 : 8, wide: wide)
            if kind == Kind.loaded { lowest = min(lowest ?? .max, address) }
            if kind == Kind.noteSegment && buildID == nil {
                try readNotes(&file, try entry.address(wide ? 8 : 4, wide: wide), try entry.address(wide ? 32 : 16, wide: wide))
            }
        }
        object.preferredAddress = (lowest ?? 0) & ~0xfff
    }

    private func entryWidth(_ offset: Int, least: Int) throws(SymbolFileError) -> Int {
        let width = Int(try head.word16(offset))
        guard width >= least else { throw .damaged("the entries of a table are too short") }
        return width
    }

    private func entries(_ file: inout FileBytes, _ offset: UInt64, count: UInt64, _ width: Int) throws(SymbolFileError) -> Fields {
        let (bytes, tooMany) = count.multipliedReportingOverflow(by: UInt64(width))
        guard !tooMany else { throw .damaged("a table has too many entries") }
        return try file.fields(at: offset, count: bytes, order: order)
    }

    // MARK: Notes

    private mutating func readNotes(_ file: inout FileBytes, _ offset: UInt64, _ size: UInt64) throws(SymbolFileError) {
        // Separated debug files may have note headers without content.
        guard buildID == nil, size <= 1 << 16, notesLeft > 0 else { return }
        notesLeft -= 1
        guard let notes = try? file.fields(at: offset, count: size, order: order) else { return }
        buildID = BuildID.find(in: notes)
    }
}

/// The build ID of an ELF file.
enum BuildID {
    private static let kind: UInt32 = 3

    static func find(in notes: Fields) -> [UInt8]? {
        var place = 0
        while let nameSize = try? Int(notes.word32(place)), let size = try? Int(notes.word32(place + 4)), let kind = try? notes.word32(place + 8) {
            let start = place + 12 + padded(nameSize)
            if kind == BuildID.kind, (try? notes.name(place + 12, nameSize)) == "GNU" { return try? notes.part(start, size).bytes }
            place = start + padded(size)
        }
        return nil
    }

    /// Returns the debug ID as Breakpad and Sentry compute it: the first 16 bytes as a GUID, whose first three numbers are in the machine's
    /// byte order.
    static func debugID(_ id: [UInt8], order: ByteOrder) -> DebugID {
        var bytes = Array((id + [UInt8](repeating: 0, count: 16)).prefix(16))
        if order == .little {
            for part in [0..<4, 4..<6, 6..<8] { bytes[part].reverse() }
        }
        return DebugID(uuid: UUID128(networkBytes: bytes))
    }

    private static func padded(_ size: Int) -> Int { (size + 3) & ~3 }
}
