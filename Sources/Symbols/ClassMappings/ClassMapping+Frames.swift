// SPDX-License-Identifier: Apache-2.0

/// A frame of the program as it was written.
package struct OriginalFrame: Sendable, Equatable {
    package var className: String
    /// Nil if the mapping does not determine the method.
    package var method: String?
    package var file: String?
    /// Nil if the mapping does not determine the line.
    package var line: Int?
}

extension ClassMapping {
    /// The limit of a method's lines per lookup.
    private static let recordLimit = 16_384
    private static let inlineLimit = 64

    /// Returns the original name of a class; nil if the mapping does not have it.
    package func originalClass(_ name: String) throws(SymbolFileError) -> String? { try entry(name)?.original }

    /// Returns the original frames of an obfuscated one, innermost first; empty if the class is unknown.
    ///
    /// Without a line, or with one that the mapping does not have, a method is named only if all methods of the obfuscated name have the
    /// same original name. Otherwise only the class is known.
    package func frames(class name: String, method: String, line: Int?) throws(SymbolFileError) -> [OriginalFrame] {
        guard let (entry, original) = try entry(name) else { return [] }
        var search = RecordSearch(line: line.flatMap { $0 > 0 ? $0 : nil })
        try visit(entry, method) { search.add($0) }
        let records = search.result()
        guard !records.isEmpty else { return [try frame(original, nil, line: nil)] }
        var frames: [OriginalFrame] = []
        for record in records.prefix(ClassMapping.inlineLimit) {
            frames.append(try frame(record.className ?? original, record.method, line: search.line.flatMap { record.originalLine(of: $0) }))
        }
        return frames
    }

    private func frame(_ className: String, _ method: String?, line: Int?) throws(SymbolFileError) -> OriginalFrame {
        OriginalFrame(className: className, method: method, file: try sourceFile(ofOriginal: className), line: line)
    }

    /// Reads the lines of a method in their order.
    private func visit(_ entry: Class, _ method: String, _ visit: (MemberLine) -> Void) throws(SymbolFileError) {
        let hash = UInt32(truncatingIfNeeded: ClassMapping.hash(method.utf8))
        let all = Int(entry.firstMember)..<Int(entry.firstMember) + Int(entry.memberCount)
        let first = members[all].lowerBound { $0.hash < hash }
        var lines: TextLines?
        for member in members[first..<all.upperBound].prefix(while: { $0.hash == hash }).prefix(ClassMapping.recordLimit) {
            let line = try line(at: Int(member.place), from: &lines)
            if let record = MemberLine(line), record.name.elementsEqual(method.utf8) { visit(record) }
        }
    }

    /// Returns the line at a place. Lines of a method usually follow each other, so `lines` continues where it can.
    private func line(at place: Int, from lines: inout TextLines?) throws(SymbolFileError) -> ArraySlice<UInt8> {
        var next = lines ?? TextLines(source, from: place, pieceSize: 0)
        if place < next.place || place - next.place > 1 << 16 { next = TextLines(source, from: place, pieceSize: 0) }
        var line: ArraySlice<UInt8> = []
        while next.place <= place, let found = try next.next() { line = found.line }
        lines = next
        return line
    }
}

/// Chooses among the lines of all methods of one obfuscated name.
private struct RecordSearch {
    let line: Int?
    /// The lines that share the current range: an inlined method is before the one it is inlined into.
    private var group: [MemberLine] = []
    private var found: [MemberLine]?
    private var agreement = Agreement()
    /// Of the methods without ranges.
    private var whole = Agreement()

    init(line: Int?) {
        self.line = line
    }

    mutating func add(_ record: MemberLine) {
        if record.range == nil || record.range != group.last?.range { endGroup() }
        if group.count < 64 { group.append(record) } else { group[63] = record }
    }

    private mutating func endGroup() {
        guard let outermost = group.last else { return }
        agreement.add(outermost)
        if let range = outermost.range {
            if found == nil, let line, range.contains(line) { found = group }
        } else {
            whole.add(outermost)
        }
        group = []
    }

    /// Returns the lines of the frames, innermost first; empty if methods disagree.
    mutating func result() -> [MemberLine] {
        endGroup()
        if let found { return found }
        if line != nil, let method = whole.common { return [method] }
        return agreement.common.map { [$0.withoutLines] } ?? []
    }
}

/// The common original method of several lines.
private struct Agreement {
    private var first: MemberLine?
    private var isBroken = false

    mutating func add(_ record: MemberLine) {
        guard let first else { return first = record }
        if first.className != record.className || first.method != record.method { isBroken = true }
    }

    var common: MemberLine? { isBroken ? nil : first }
}
