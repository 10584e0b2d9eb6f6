// SPDX-License-Identifier: Apache-2.0

/// A version as people write it: `2.10.1`, `v3.0-beta.2`, `1.4b7`, `5.1 (620)`, `1.0.0+88`. Precedence as in Semantic Versioning, and kinder: numbers may be any number of
/// digits long, missing ones are zero, and `1.4b7` is a pre-release of `1.4`.
struct VersionText: Comparable {
    private enum Part: Comparable {
        /// Digits without leading zeros; longer ones are larger.
        case number([UInt8])
        /// Comes after each number, as in Semantic Versioning.
        case word([UInt8])

        static func < (a: Part, b: Part) -> Bool {
            switch (a, b) {
            case (.number(let a), .number(let b)): a.count == b.count ? a.lexicographicallyPrecedes(b) : a.count < b.count
            case (.word(let a), .word(let b)): a.lexicographicallyPrecedes(b)
            case (.number, .word): true
            case (.word, .number): false
            }
        }
    }

    private static let longest = 200
    private static let preReleaseWords: Set<[UInt8]> = Set(
        ["a", "b", "c", "m", "alpha", "beta", "rc", "cr", "dev", "pre", "preview", "snapshot", "nightly", "canary"].map { Array($0.utf8) })

    private let core: [Part]
    /// Empty in a release proper, which comes after its pre-releases.
    private let preRelease: [Part]
    /// What stands behind `+` or in parentheses.
    let build: String?

    /// Nil where the text does not begin as a version does.
    init?(_ text: String) {
        var rest = text.utf8.prefix(VersionText.longest)[...]
        if let first = rest.first, first | 0x20 == UInt8(ascii: "v") { rest = rest.dropFirst() }
        guard rest.first?.isDigit == true else { return nil }
        let version = rest.prefix { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: " ") }
        let behind = rest[version.endIndex...].filter {
            $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: ")") && $0 != UInt8(ascii: "+")
        }
        build = behind.isEmpty ? nil : String(decoding: behind, as: UTF8.self)

        // A hash of a commit may begin with a digit and hold letters, but never a dot.
        guard version.contains(UInt8(ascii: ".")) || version.prefix(while: { $0 != UInt8(ascii: "-") }).allSatisfy(\.isDigit) else { return nil }
        let dash = version.firstIndex(of: UInt8(ascii: "-")) ?? version.endIndex
        let parts = VersionText.parts(version[..<dash])
        let pre = parts.firstIndex { part in
            if case .word(let word) = part { VersionText.preReleaseWords.contains(word) } else { false }
        }
        core = VersionText.withoutLastZeros(parts[..<(pre ?? parts.endIndex)])
        preRelease = parts[(pre ?? parts.endIndex)...] + VersionText.parts(version[dash...])
    }

    static func < (a: VersionText, b: VersionText) -> Bool {
        if a.core != b.core { return precedes(a.core, b.core) }
        if a.preRelease.isEmpty || b.preRelease.isEmpty { return !a.preRelease.isEmpty && b.preRelease.isEmpty }
        return precedes(a.preRelease, b.preRelease)
    }

    static func == (a: VersionText, b: VersionText) -> Bool { a.core == b.core && a.preRelease == b.preRelease }

    private static func precedes(_ a: [Part], _ b: [Part]) -> Bool { a.lexicographicallyPrecedes(b) }

    /// Cut at dots, dashes and underscores, and between digits and letters.
    private static func parts(_ text: Substring.UTF8View.SubSequence) -> [Part] {
        var parts: [Part] = []
        var rest = text[...]
        while let first = rest.first {
            guard first.isDigit || first.isLetter else {
                rest = rest.dropFirst()
                continue
            }
            let run = rest.prefix { first.isDigit ? $0.isDigit : $0.isLetter }
            parts.append(first.isDigit ? .number(Array(run.drop { $0 == UInt8(ascii: "0") })) : .word(run.map { $0 | 0x20 }))
            rest = rest[run.endIndex...]
        }
        return parts
    }

    private static func withoutLastZeros(_ parts: ArraySlice<Part>) -> [Part] {
        var parts = parts
        while parts.last == .number([]) { parts.removeLast() }
        return Array(parts)
    }
}
