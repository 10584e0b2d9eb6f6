// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// LLVM's symbolizer, which reads DWARF. It is part of the Swift toolchain and of Debian's `llvm`. Its input consists only of our own file
/// names and numbers.
struct LLVMSymbolizer: Sendable {
    /// The limit of inlined functions in one place.
    private static let inlines = 64

    private let programs: LineProgramPool
    private let folder: String

    init(_ program: String, in folder: String, limits: LineProgram.Limits, launcher: String?) {
        let command = ReaderCommand(
            program, ["--output-style=JSON", "--inlines", "--functions=linkage", "--no-demangle"], launcher: launcher)
        self.folder = folder
        programs = LineProgramPool { LineProgram(command.reading($0), in: folder, probe: "none 0x0", limits: limits) }
    }

    var process: Int32? { programs.process }

    func end() {
        programs.end()
    }

    func stop() {
        programs.stop()
    }

    /// Returns the places of each address, innermost first; empty if unknown.
    func places(_ lookups: [(file: String, object: SymbolObject, address: UInt64)]) throws(ProgramError) -> [[SymbolLocation]] {
        var out = [[SymbolLocation]](repeating: [], count: lookups.count)
        let byFolder = Dictionary(grouping: lookups.indices) { SymbolFolder.folder(of: lookups[$0].file, in: folder) }
        for (folder, indices) in byFolder.sorted(by: { $0.key < $1.key }) {
            let lines = indices.map { index in
                let (file, object, address) = lookups[index]
                return Array("\(file):\(object.architecture) 0x\(String(address, radix: 16))".utf8)
            }
            let results = try programs.ask(lines, reading: [folder])
            for (index, result) in zip(indices, results) { out[index] = result.map(LLVMSymbolizer.read) ?? [] }
        }
        return out
    }

    /// Reads `{"Address":"0x…","ModuleName":"…","Symbol":[{"FunctionName":"…","FileName":"…","Line":9,"Column":3},…]}`, or with an `Error`
    /// in place of `Symbol`.
    static func read(_ result: [UInt8]) -> [SymbolLocation] {
        guard let symbols = try? JSONValue(result)["Symbol"] else { return [] }
        return symbols.elements.prefix(inlines).compactMap { symbol in
            let file = symbol.text("FileName")
            let place = SymbolLocation(
                function: symbol.text("FunctionName"), file: file.isEmpty ? nil : file, line: number(symbol.text("Line")),
                column: number(symbol.text("Column")))
            // The start of a Mach-O file has a name too, but is not a function.
            return place.function.isEmpty || place.function.hasPrefix("_mh_") ? nil : place
        }
    }

    /// Returns the number; nil for line 0, which marks generated code.
    private static func number(_ text: String) -> Int? {
        Int(text).flatMap { $0 > 0 ? $0 : nil }
    }
}
