// SPDX-License-Identifier: Apache-2.0

/// The template of a key: runs of a function with the same key are carried out one after the other.
///
///     {params.account}          with params.account = a-7   →  a-7
///     {user_id}/{params.kind}   with neither                →  /
package struct OrderKey: Sendable, Equatable {
    package static let maximumBytes = 200

    fileprivate enum Part: Sendable, Equatable {
        case literal(String)
        case field(String)
    }

    package let text: String
    private let parts: [Part]

    /// Returns nil unless the text has a placeholder and each one is a path of names, joined by dots.
    package init?(_ text: String) {
        guard text.utf8.count <= OrderKey.maximumBytes, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
        var parts: [Part] = []
        var rest = text.utf8[...]
        while let first = rest.first {
            let isField = first == UInt8(ascii: "{")
            let end = isField ? rest.firstIndex(of: UInt8(ascii: "}")) : rest.firstIndex(of: UInt8(ascii: "{")) ?? rest.endIndex
            guard let end else { return nil }
            let part = rest[..<end].dropFirst(isField ? 1 : 0)
            guard isField ? OrderKey.isPath(part) : !part.contains(UInt8(ascii: "}")) else { return nil }
            parts.append(isField ? .field(String(Substring(part))) : .literal(String(Substring(part))))
            rest = rest[end...].dropFirst(isField ? 1 : 0)
        }
        guard parts.contains(where: \.isField) else { return nil }
        (self.text, self.parts) = (text, parts)
    }

    /// Returns the key. A field without a value is an empty text.
    package func key(_ value: (String) -> String?) -> String {
        parts.map { part in
            switch part {
            case .literal(let text): text
            case .field(let path): value(path) ?? ""
            }
        }.joined()
    }

    private static func isPath(_ text: Substring.UTF8View) -> Bool {
        text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { name in
            !name.isEmpty && name.allSatisfy { ASCIIWord.isCharacter($0) || $0 == UInt8(ascii: "-") }
        }
    }
}

extension OrderKey.Part {
    fileprivate var isField: Bool {
        if case .field = self { true } else { false }
    }
}
