// SPDX-License-Identifier: Apache-2.0

/// Recognizes a mapping of R8 or ProGuard by its first line that is no comment: `com.example.Cart -> a.b:`.
enum ClassMappingHeader {
    private static let comments = 10_000

    static func isOne(_ source: ByteSource) throws(SymbolFileError) -> Bool {
        var lines = TextLines(source)
        for _ in 0..<comments {
            guard let (_, line) = try lines.next() else { return false }
            if line.isEmpty || line.first == 0x23 { continue }
            return ClassLine(line) != nil
        }
        return false
    }
}
