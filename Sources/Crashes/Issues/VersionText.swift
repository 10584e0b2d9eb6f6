// SPDX-License-Identifier: Apache-2.0

/// A version number with the precedence of Semantic Versioning, but more lenient: numbers may have any length, missing ones are zero, and
/// `1.4b7` is a pre-release of `1.4`.
///
///     2.9.1 < 2.10.1        v3.0-beta.2 < 3.0        1.4b7 < 1.4        5.1 (620) has build 620
struct VersionText: Comparable {
    private enum Part: Comparable {
        /// Digits without leading zeros. A longer number is larger.
        case number([UInt8])
        /// A word. It sorts after every number, as in Semantic Versioning.
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
    /// The pre-release parts. Empty for a final release, which sorts after its pre-releases.
    private let preRelease: [Part]
    /// The text after `+` or in parentheses.
    let build: String?

    /// Returns nil if the text does not begin like a version.
    init?(_ text: String) {
        var rest = text.utf8.prefix(VersionText.longest)[...]
        if let first = rest.first, first | 0x20 == UInt8(ascii: "v") { rest = rest.dropFirst() }
        guard rest.first?.isDigit == true else { return nil }
        let version = rest.prefix { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: " ") }
        let behind = rest[version.endIndex...].filter {
            $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: ")") && $0 != UInt8(ascii: "+")
        }
        build = behind.isEmpty ? nil : String(decoding: behind, as: UTF8.self)

        // A commit hash may begin with a digit and contain letters, but never contains a dot.
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

    /// Splits at dots, dashes and underscores, and between digits and letters.
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
