// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import DocumentStore

@Suite struct SortedPiecesTests {
    @Test(arguments: [0, 1, 399, 400, 401, 5_000])
    func `entries come out in the order of their keys, however many are taken at once`(count: Int) {
        var random = SeededGenerator(UInt64(count) + 3)
        var (pieces, expected) = (SortedPieces(), [[UInt8]]())
        for number in 0..<count {
            let key = (0...Int.random(in: 0..<4, using: &random)).map { _ in UInt8.random(in: 0..<20, using: &random) }
            pieces.append(IndexEntry(key: key, isCut: false), Int64(number))
            expected.append(key)
        }
        var taken: [[UInt8]] = []
        while !pieces.isEmpty {
            let part = pieces.next(Int.random(in: 1..<100, using: &random))
            #expect(!part.isEmpty)
            taken += part.map(\.entry.key)
        }
        #expect(taken == expected.sorted { $0.lexicographicallyPrecedes($1) } && pieces.next(5).isEmpty)
    }
}
