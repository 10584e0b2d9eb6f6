// SPDX-License-Identifier: Apache-2.0

import Files

/// The field `Upload-Checksum` of tus. Written again, it is the same checksum.
enum UploadChecksums {
    static func run(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), let checksum = UploadChecksum(text) else { return }
        accepted()
        require(UploadChecksum(checksum.text) == checksum, "a checksum that changed: \(text)")
        require([4, 20, 32].contains(checksum.expected.count), "a checksum of \(checksum.expected.count) bytes: \(text)")
    }
}

/// The field `Content-Range` of uploads of Google's storage. Written again, it is the same range, within the file.
enum UploadRanges {
    static func run(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), let range = UploadRange(text) else { return }
        accepted()
        let total = range.total.map(String.init) ?? "*"
        require(UploadRange("bytes \(part(range.bytes))/\(total)") == range, "a range that changed: \(text)")
        let isWithin =
            switch range.bytes {
            case .nothing: true
            case .piece(let bytes): bytes.lowerBound >= 0 && bytes.upperBound < range.total ?? .max && bytes.count > 0
            case .rest(let first): first >= 0 && first <= range.total ?? .max
            }
        require(isWithin, "a range outside of the file: \(text)")
    }

    private static func part(_ bytes: UploadRange.Bytes) -> String {
        switch bytes {
        case .nothing: "*"
        case .piece(let bytes): "\(bytes.lowerBound)-\(bytes.upperBound)"
        case .rest(let first): "\(first)-*"
        }
    }
}

/// A pattern of names of files, and a name on the next line. Patterns without sets and alternatives match as by trial of all ways.
enum FileGlobs {
    /// The work is the product of both lengths, so a pattern stays short here; its own limit bounds it elsewhere.
    private static let longestPattern = 40

    static func run(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: 0x0a, maxSplits: 1, omittingEmptySubsequences: false)
        guard lines.count == 2, let pattern = String(validating: lines[0], as: UTF8.self), let name = String(validating: lines[1], as: UTF8.self),
            pattern.utf8.count <= longestPattern, let glob = FileGlob(pattern)
        else { return }
        accepted()
        let matches = glob.matches(name)
        require(glob.width <= 3 * pattern.utf8.count + 1, "a pattern of \(glob.width) steps: \(pattern)")
        let (pieces, scalars) = (Array(pattern.unicodeScalars), Array(name.unicodeScalars))
        guard !pieces.contains(where: { "[{\\".unicodeScalars.contains($0) }), pieces.count * scalars.count <= 400 else { return }
        require(matches == tries(pieces[...], scalars[...]), "\(pattern) and \(name): \(matches)")
    }

    private static func tries(_ pattern: ArraySlice<Unicode.Scalar>, _ name: ArraySlice<Unicode.Scalar>) -> Bool {
        // The ends of the names that the pattern so far leaves.
        var rests: Set<Int> = [name.startIndex]
        var at = pattern.startIndex
        while at < pattern.endIndex {
            let crosses = pattern[at...].prefix(2) == ["*", "*"]
            var next: Set<Int> = []
            for place in rests {
                switch pattern[at] {
                case "*":
                    let end = crosses ? name.endIndex : name[place...].firstIndex(of: "/") ?? name.endIndex
                    next.formUnion(place...end)
                case "?": if place < name.endIndex, name[place] != "/" { next.insert(place + 1) }
                default: if place < name.endIndex, name[place] == pattern[at] { next.insert(place + 1) }
                }
            }
            rests = next
            at += crosses ? 2 : 1
        }
        return rests.contains(name.endIndex)
    }
}
