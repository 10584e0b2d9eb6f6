// SPDX-License-Identifier: Apache-2.0

extension BreakpadIndex {
    /// The limit of a function's records. Longer ones are truncated.
    private static let functionBytes = 1 << 20
    private static let inlines: UInt64 = 64

    /// Returns the places of an address, relative to the binary's start, innermost first; empty if unknown.
    package func places(_ address: UInt64) throws(SymbolFileError) -> [SymbolLocation] {
        let function = last(of: functions, before: address)
        if let function, function.holds(address) { return try places(address, in: function) }
        // A function that ends before the address separates it from earlier public names.
        guard let name = last(of: publics, before: address), name.address >= function?.address ?? 0 else { return [] }
        return try header(name, skipping: 2).map { [SymbolLocation(function: $0)] } ?? []
    }

    /// Returns the function with records that contains the address.
    func function(at address: UInt64) -> Function? {
        last(of: functions, before: address).flatMap { $0.holds(address) ? $0 : nil }
    }

    /// Whether a function contains the address, or a public name without a size precedes it.
    func hasFunction(at address: UInt64) -> Bool {
        let function = last(of: functions, before: address)
        if function?.holds(address) == true { return true }
        return last(of: publics, before: address).map { $0.address >= function?.address ?? 0 } ?? false
    }

    private func last(of functions: [Function], before address: UInt64) -> Function? {
        let index = functions.lowerBound { $0.address <= address }
        return index > 0 ? functions[index - 1] : nil
    }

    private func places(_ address: UInt64, in function: Function) throws(SymbolFileError) -> [SymbolLocation] {
        guard let name = try header(function, skipping: 3) else { return [] }
        let records = try records(at: address, of: function)
        var places: [SymbolLocation] = []
        var (line, file) = (records.line, records.file)
        for depth in (0..<Self.inlines).reversed() {
            guard let inline = records.inlines[depth] else { continue }
            places.append(SymbolLocation(function: try origin(inline.origin) ?? name, file: try file.flatMap(self.file), line: line))
            (line, file) = (inline.line, inline.file)
        }
        return places + [SymbolLocation(function: name, file: try file.flatMap(self.file), line: line)]
    }

    /// Returns the name in a `FUNC` or `PUBLIC` record, after `numbers` numbers.
    private func header(_ function: Function, skipping numbers: Int) throws(SymbolFileError) -> String? {
        var lines = TextLines(source, from: function.place, pieceSize: 0)
        guard var words = try lines.next().map({ RecordWords($0.line) }) else { return nil }
        _ = words.word()
        words.skipMark()
        for _ in 0..<numbers { _ = words.word() }
        return words.text.isEmpty ? nil : words.text
    }

    // MARK: Records of a function

    private struct Records {
        var line: Int?
        var file: UInt64?
        /// The inlined calls by depth.
        var inlines: [UInt64: Inline] = [:]
    }

    /// An inlined call.
    private struct Inline {
        var line: Int?
        var file: UInt64?
        var origin: UInt64
    }

    private func records(at address: UInt64, of function: Function) throws(SymbolFileError) -> Records {
        var records = Records()
        var lines = TextLines(source, from: function.place, pieceSize: 0)
        _ = try lines.next()
        while let (place, line) = try lines.next(), place - function.place < Self.functionBytes {
            var words = RecordWords(line)
            if line.starts(with: "INLINE ".utf8) {
                _ = words.word()
                if let (depth, inline) = inline(words, at: address) { records.inlines[depth] = inline }
            } else if let start = words.hex(), let size = words.hex(), let number = words.decimal(), let file = words.decimal() {
                guard address >= start, address - start < size else { continue }
                (records.line, records.file) = (Int(exactly: number), file)
            } else {
                break
            }
        }
        return records
    }

    /// Reads `INLINE depth line file origin address size…`, with the ranges in the enclosing function. An older form has no file.
    private func inline(_ words: RecordWords, at address: UInt64) -> (UInt64, Inline)? {
        var words = words
        let hasFile = words.count.isMultiple(of: 2)
        guard let depth = words.decimal(), depth < Self.inlines, let line = words.decimal() else { return nil }
        let file = hasFile ? words.decimal() : nil
        guard let origin = words.decimal() else { return nil }
        while let start = words.hex(), let size = words.hex() {
            if address >= start && address - start < size { return (depth, Inline(line: Int(exactly: line), file: file, origin: origin)) }
        }
        return nil
    }
}
