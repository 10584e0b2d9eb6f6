// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzTargets
import Platform
import TestSupport
import Testing

/// A short run of `./scripts/fuzz`: each corpus, intact and corrupted in reproducible ways.
struct CorpusTests {
    private static let corpus = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz/Corpus")

    private static func inputs(of target: String) throws -> [[UInt8]] {
        let files = try FileManager.default.contentsOfDirectory(at: corpus.appending(path: target), includingPropertiesForKeys: nil)
        return try files.sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0).prefix(4_096)) }
    }

    /// A target whose invariant fails ends the process with a message.
    @Test(arguments: FuzzTarget.all.map(\.name)) func `the invariants of a target hold for its corpus, intact and corrupted`(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let inputs = try Self.inputs(of: name)
        #expect(!inputs.isEmpty)
        var random = SeededGenerator(1)
        for input in inputs {
            target.run(input)
            for _ in 0..<40 { target.run(Self.damaged(input, &random)) }
        }
    }

    private static func damaged(_ input: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = input
        for _ in 0...Int.random(in: 0..<3, using: &random) {
            guard !bytes.isEmpty else { return bytes }
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let stretch = start..<Int.random(in: start...min(bytes.count, start + 64), using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[start] = [0, 0x22, 0x39, 0x5c, 0x7b, 0x80, 0xff].randomElement(using: &random) ?? 0
            case 2: bytes.removeSubrange(stretch)
            case 3: bytes.insert(contentsOf: bytes[stretch], at: start)
            default: bytes.removeLast(bytes.count - start)
            }
        }
        return bytes
    }
}
