// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import Platform
import AcrossStores

/// A file that a client wants to assemble from chunks.
struct AssemblyRequest: Sendable {
    /// The SHA-1 of the file.
    let sum: String
    let name: String
    let debugID: DebugID?
    /// The release and distribution of a bundle.
    let release: String?
    let distribution: String?
    /// The SHA-1 sums of its chunks in order.
    let pieces: [String]
    /// Covers a file of 32 GiB in chunks of 2 MiB.
    private static let mostPieces = 16_384

    init(_ sum: String, _ body: Body) throws(Refusal) {
        self.sum = sum
        name = try body.optionalText("name") ?? ""
        debugID = try (body.optionalText("debug_id") ?? AssemblyRequest.mappingID(name)).flatMap { DebugID($0) }
        (release, distribution) = (nil, nil)
        pieces = try body.texts("chunks", most: AssemblyRequest.mostPieces)
        try check()
    }

    /// Reads the request for a bundle of source maps.
    init(bundle body: Body) throws(Refusal) {
        sum = try body.text("checksum")
        (name, debugID) = ("", nil)
        (release, distribution) = (try body.optionalText("version"), try body.optionalText("dist"))
        pieces = try body.texts("chunks", most: AssemblyRequest.mostPieces)
        try check()
    }

    private func check() throws(Refusal) {
        guard !pieces.isEmpty, ([sum] + pieces).allSatisfy(AssemblyRequest.isSum) else {
            throw .field("chunks", "bad_sum", "must have the lower-case SHA-1 sums of a file and its chunks")
        }
    }

    /// Returns the ID of a mapping of R8, which is part of its name: `/proguard/12345678-….txt`.
    private static func mappingID(_ name: String) -> String? {
        guard name.hasPrefix("/proguard/"), name.hasSuffix(".txt") else { return nil }
        return String(name.dropFirst(10).dropLast(4))
    }

    private static func isSum(_ text: String) -> Bool {
        text.utf8.count == 40 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

/// The progress of a file.
enum FileState: Sendable {
    case missing([String])
    case failed(String)
    case ok(AssemblyRequest, AssembledFile)

    var isWaiting: Bool {
        if case .missing = self { true } else { false }
    }
}

/// The result of assembling a file.
enum AssembledFile: Sendable {
    case symbols(StoredSymbols)
    /// The source maps of a bundle, and those that cannot be read.
    case bundle([StoredSymbols], leftOut: [BundleUnpacking.LeftOut] = [])
    /// The file has no symbols, like the binary beside its debug file, and was not stored.
    case withoutSymbols

    var leftOut: String? {
        if case .bundle(_, let files) = self { files.sentence } else { nil }
    }

    var symbols: StoredSymbols? {
        if case .symbols(let symbols) = self { symbols } else { nil }
    }
}
