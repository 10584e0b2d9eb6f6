// SPDX-License-Identifier: Apache-2.0

/// A pattern of paths of documents or files. `{name}` stands for one segment; `{name=**}`, only at the end, for one or more.
///
///     orders/{id}               matches orders/o-7        with id = o-7
///     users/{uid}/{rest=**}     matches users/ann/a/b.png with uid = ann, rest = a/b.png
///
/// Texts are compared byte by byte, because CR LF is one Character and a slash with a combining accent is another.
package struct PathPattern: Sendable, Equatable {
    package static let maximumBytes = 1_024
    package static let maximumSegments = 100

    fileprivate enum Segment: Sendable, Equatable {
        case literal([UInt8])
        case one(String)
        case rest(String)
    }

    /// The value of a placeholder in a path that matches.
    package struct Value: Sendable, Equatable {
        package let name: String
        package let text: String
    }

    package let text: String
    private let segments: [Segment]

    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard text.utf8.count <= PathPattern.maximumBytes, parts.count <= PathPattern.maximumSegments else { return nil }
        var segments: [Segment] = []
        for part in parts {
            // Nothing may follow `{name=**}`.
            if case .rest = segments.last { return nil }
            guard let segment = PathPattern.segment(part) else { return nil }
            segments.append(segment)
        }
        let names = segments.compactMap(\.name)
        guard Set(names).count == names.count else { return nil }
        (self.text, self.segments) = (text, segments)
    }

    /// The number of segments of a path that matches; nil if it varies.
    package var segmentCount: Int? {
        if case .rest = segments.last { nil } else { segments.count }
    }

    /// Returns the values of the placeholders, in the pattern's order; nil unless the path matches.
    package func values(in path: String) -> [Value]? {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segmentCount.map({ parts.count == $0 }) ?? (parts.count >= segments.count) else { return nil }
        var values: [Value] = []
        for (index, segment) in segments.enumerated() {
            switch segment {
            case .literal(let literal): guard parts[index].elementsEqual(literal) else { return nil }
            case .one(let name): values.append(Value(name: name, text: String(Substring(parts[index]))))
            case .rest(let name): values.append(Value(name: name, text: String(Substring(path.utf8[parts[index].startIndex...]))))
            }
        }
        return values
    }

    private static func segment(_ part: Substring.UTF8View) -> Segment? {
        guard part.first == UInt8(ascii: "{") else {
            let isLiteral = !part.isEmpty && part.allSatisfy { $0 >= 0x20 && $0 != 0x7f && !"{}*".utf8.contains($0) }
            return isLiteral ? .literal(Array(part)) : nil
        }
        guard part.last == UInt8(ascii: "}") else { return nil }
        let inner = part.dropFirst().dropLast()
        let takesRest = inner.suffix(3).elementsEqual("=**".utf8)
        let name = takesRest ? inner.dropLast(3) : inner
        guard let first = name.first, ASCIIWord.isLetter(first), name.allSatisfy(ASCIIWord.isCharacter) else { return nil }
        return takesRest ? .rest(String(Substring(name))) : .one(String(Substring(name)))
    }
}

extension PathPattern.Segment {
    fileprivate var name: String? {
        switch self {
        case .literal: nil
        case .one(let name), .rest(let name): name
        }
    }
}
