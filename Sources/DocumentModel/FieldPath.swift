// SPDX-License-Identifier: Apache-2.0

/// A path to a field through maps, at most 1,500 bytes long.
///
///     a.b            field b of map a
///     `x-1`.`a\`b`   names that are not identifiers stand in backquotes
package struct FieldPath: Hashable, Sendable, CustomStringConvertible {
    package static let maximumBytes = 1_500
    /// The path that stands for the document's name.
    package static let name = FieldPath(validated: ["__name__"])

    package let names: [ExactName]

    private init(validated names: [ExactName]) {
        self.names = names
    }

    /// Returns nil for no name, an empty name, or a path that is too long.
    package init?(_ names: [ExactName]) {
        guard !names.isEmpty, names.allSatisfy({ !$0.text.isEmpty }) else { return nil }
        self.names = names
        if description.utf8.count > FieldPath.maximumBytes { return nil }
    }

    /// Parses the text of a path.
    package init?(_ text: String) {
        guard text.utf8.count <= FieldPath.maximumBytes, let names = FieldPathParser.names(Array(text.utf8)) else { return nil }
        self.init(names)
    }

    package var isName: Bool { self == FieldPath.name }

    package func starts(with other: FieldPath) -> Bool { names.starts(with: other.names) }

    /// The text that is parsed to this path, with backquotes only where they are needed.
    package var description: String {
        names.map { FieldPath.isPlain($0) ? $0.text : FieldPath.quoted($0) }.joined(separator: ".")
    }

    private static func isPlain(_ name: ExactName) -> Bool {
        guard let first = name.bytes.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return name.bytes.allSatisfy(FieldPathParser.isPlain)
    }

    private static func quoted(_ name: ExactName) -> String {
        var bytes: [UInt8] = [FieldPathParser.quote]
        for byte in name.bytes {
            if byte == FieldPathParser.quote || byte == FieldPathParser.escape { bytes.append(FieldPathParser.escape) }
            bytes.append(byte)
        }
        bytes.append(FieldPathParser.quote)
        return String(decoding: bytes, as: UTF8.self)
    }
}

private enum FieldPathParser {
    static let (dot, quote, escape) = (UInt8(ascii: "."), UInt8(ascii: "`"), UInt8(ascii: "\\"))

    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    static func names(_ bytes: [UInt8]) -> [ExactName]? {
        var names: [ExactName] = []
        var rest = bytes[...]
        while true {
            guard let name = rest.first == quote ? quoted(&rest) : plain(&rest) else { return nil }
            names.append(ExactName(String(decoding: name, as: UTF8.self)))
            guard let separator = rest.popFirst() else { return names }
            if separator != dot { return nil }
        }
    }

    private static func plain(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        let name = rest.prefix(while: isPlain)
        rest = rest.dropFirst(name.count)
        guard let first = name.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
        return Array(name)
    }

    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        var name: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case quote: return name.isEmpty ? nil : name
            case escape:
                guard let escaped = rest.popFirst() else { return nil }
                name.append(escaped)
            default: name.append(byte)
            }
        }
        return nil
    }
}
