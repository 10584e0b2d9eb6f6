// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// LLVM's symbolizer, which reads DWARF. It is part of the Swift toolchain and of Debian's `llvm`. Its input consists only of our own file
/// names and numbers.
struct LLVMSymbolizer: Sendable {
    /// The limit of inlined functions in one place.
    private static let inlines = 64

    private let program: LineProgram

    init(_ program: String, in folder: String, limits: LineProgram.Limits) {
        let arguments = ["--output-style=JSON", "--inlines", "--functions=linkage", "--no-demangle"]
        self.program = LineProgram(program, arguments, in: folder, probe: "none 0x0", limits: limits)
    }

    var process: Int32? { program.process }

    func end() {
        program.end()
    }

    func stop() {
        program.stop()
    }

    /// Returns the places of each address, innermost first; empty if unknown.
    func places(_ lookups: [(file: String, object: SymbolObject, address: UInt64)]) throws(ProgramError) -> [[SymbolLocation]] {
        let lines = lookups.map { Array("\($0.file):\($0.object.architecture) 0x\(String($0.address, radix: 16))".utf8) }
        return try program.ask(lines).map { result in result.map(LLVMSymbolizer.read) ?? [] }
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
