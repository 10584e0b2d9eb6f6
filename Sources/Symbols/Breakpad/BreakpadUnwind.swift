// SPDX-License-Identifier: Apache-2.0

/// An index of the records in a Breakpad text that find the caller of a function.
///
///     STACK CFI INIT 1000 40 .cfa: $rsp 8 + .ra: .cfa 8 - ^      →  rules: 0x1000 … 0x1040 at this position
///     STACK CFI 1001 .cfa: $rsp 16 +                             →  read on lookup: from 0x1001 on another CFA
///     STACK WIN 4 2000 30 5 0 c 0 0 0 1 $eip $esp ^ = …          →  programs: 0x2000 … 0x2030
package struct BreakpadUnwind: Sendable {
    private static let recordLimit = 2_000_000
    /// The limit of the records of one function.
    private static let functionBytes = 1 << 18

    private typealias Record = BreakpadIndex.Function

    private let source: ByteSource
    private var rules: [Record] = []
    /// Records of Windows with a program, and those that only tell sizes.
    private var programs: [Record] = []
    private var sizes: [Record] = []

    package init(bytes: [UInt8]) throws(SymbolFileError) {
        try self.init(ByteSource(bytes: bytes))
    }

    init(_ source: ByteSource) throws(SymbolFileError) {
        self.source = source
        var lines = TextLines(source)
        while let (place, line) = try lines.next() {
            guard line.first == UInt8(ascii: "S"), line.starts(with: "STACK ".utf8) else { continue }
            read(RecordWords(line.dropFirst(6)), at: place)
            guard rules.count + programs.count + sizes.count <= BreakpadUnwind.recordLimit else { throw .damaged("it has too many records") }
        }
        rules.sort { $0.address < $1.address }
        programs.sort { $0.address < $1.address }
        sizes.sort { $0.address < $1.address }
    }

    /// The approximate memory in use.
    var bytes: Int { (rules.count + programs.count + sizes.count) * MemoryLayout<Record>.stride }

    private mutating func read(_ words: RecordWords, at place: Int) {
        var words = words
        guard let kind = words.word(), let second = words.word() else { return }
        if kind.elementsEqual("CFI".utf8), second.elementsEqual("INIT".utf8), let address = words.hex(), let size = words.hex() {
            rules.append(Record(address: address, size: size, place: place))
        } else if kind.elementsEqual("WIN".utf8), let address = words.hex(), let size = words.hex() {
            let record = Record(address: address, size: size, place: place)
            if second.elementsEqual("4".utf8) { programs.append(record) }
            if second.elementsEqual("0".utf8) { sizes.append(record) }
        }
    }

    private func last(of records: [Record], at address: UInt64) -> Record? {
        let after = records.lowerBound { $0.address <= address }
        guard after > 0, records[after - 1].holds(address) else { return nil }
        return records[after - 1]
    }

    // MARK: Lookup

    /// Returns the expressions by the names of their registers at an address relative to the binary's start.
    package func rules(at address: UInt64) throws(SymbolFileError) -> UnwindRules? {
        guard let record = last(of: rules, at: address) else { return nil }
        var lines = TextLines(source, from: record.place, pieceSize: 0)
        guard var words = try lines.next().map({ RecordWords($0.line) }) else { return nil }
        for _ in 0..<5 { _ = words.word() }
        var found = UnwindRules()
        found.read(words)
        while let (place, line) = try lines.next(), place - record.place < BreakpadUnwind.functionBytes {
            guard line.starts(with: "STACK CFI ".utf8) else { break }
            var words = RecordWords(line.dropFirst(10))
            guard let start = words.hex(), start <= address else { break }
            found.read(words)
        }
        return found
    }

    /// Returns the record of a function of 32-bit Windows.
    func windowsFrame(at address: UInt64) throws(SymbolFileError) -> WindowsFrame? {
        guard let record = last(of: programs, at: address) ?? last(of: sizes, at: address) else { return nil }
        var lines = TextLines(source, from: record.place, pieceSize: 0)
        return try lines.next().flatMap { WindowsFrame(RecordWords($0.line)) }
    }
}

/// The rules of a place in a function: for each register, how to compute the caller's value.
package struct UnwindRules: Sendable, Equatable {
    private(set) var expressions: [String: [ArraySlice<UInt8>]] = [:]

    /// Reads `.cfa: $rsp 16 + .ra: .cfa -8 + ^`. A later rule of a register replaces an earlier one.
    mutating func read(_ words: RecordWords) {
        var words = words
        var register: String?
        var tokens: [ArraySlice<UInt8>] = []
        while let word = words.word() {
            if word.last == UInt8(ascii: ":"), word.count > 1 {
                if let register { expressions[register] = tokens }
                register = String(decoding: word.dropLast(), as: UTF8.self)
                tokens = []
            } else {
                tokens.append(word)
            }
        }
        if let register { expressions[register] = tokens }
    }
}

/// A `STACK WIN` record: `kind address size prologue epilogue parameters saved locals maximum hasProgram program`.
struct WindowsFrame: Sendable {
    let parameterBytes: UInt64
    let savedBytes: UInt64
    let localBytes: UInt64
    /// The program; empty if the sizes alone describe the frame.
    let program: [ArraySlice<UInt8>]
    let changesBasePointer: Bool

    init?(_ record: RecordWords) {
        var words = record
        for _ in 0..<5 { _ = words.word() }
        guard words.hex() != nil, words.hex() != nil, let parameters = words.hex(), let saved = words.hex(), let locals = words.hex(),
            words.hex() != nil, let hasProgram = words.word()
        else { return nil }
        (parameterBytes, savedBytes, localBytes) = (parameters, saved, locals)
        var tokens: [ArraySlice<UInt8>] = []
        while let word = words.word() { tokens.append(word) }
        let isProgram = hasProgram.elementsEqual("1".utf8)
        program = isProgram ? tokens : []
        changesBasePointer = !isProgram && tokens.first?.elementsEqual("1".utf8) == true
    }
}
