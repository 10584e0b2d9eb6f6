// SPDX-License-Identifier: Apache-2.0

import Files

/// Bodies of metadata and a file. However they are split, the same comes out.
enum RelatedBodies {
    private struct Outcome: Equatable {
        var metadata: [UInt8] = []
        var contents: [UInt8] = []
        var type: String?
        var isComplete = false
        var isRefused = false
    }

    static func run(_ bytes: [UInt8]) {
        let whole = read(bytes, by: max(1, bytes.count))
        if whole.isComplete { accepted() }
        require(whole.metadata.count <= RelatedReader.maximumMetadataBytes, "metadata beyond its limit")
        require(whole.metadata.count + whole.contents.count <= bytes.count, "more than the body has")
        for size in [1, 7] { require(read(bytes, by: size) == whole, "another result in pieces of \(size)") }
    }

    private static func read(_ bytes: [UInt8], by size: Int) -> Outcome {
        var outcome = Outcome()
        guard var reader = RelatedReader(contentType: "multipart/related; boundary=\"b\"") else { return outcome }
        do {
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = Array(bytes[start..<min(start + size, bytes.count)])
                try reader.read(piece.span) { part in for place in part.indices { outcome.contents.append(part[place]) } }
            }
            outcome.metadata = reader.metadata
        } catch {
            // What was read before a fault depends on the pieces.
            return Outcome(isRefused: true)
        }
        (outcome.type, outcome.isComplete) = (reader.contentType, reader.isComplete)
        return outcome
    }
}
