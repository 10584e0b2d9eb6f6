// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport

/// The bytes of a file on disk and the writes since the last sync.
struct VolatileFile {
    enum Change {
        case write(Data, at: Int)
        case truncate(to: Int)
    }

    private static let sector = 512
    private var synced: Data
    var pending: [(place: Int, change: Change)] = []

    init(holding bytes: Data = Data()) {
        synced = bytes
    }

    mutating func sync(before place: Int) {
        for (_, change) in pending.prefix(while: { $0.place < place }) {
            switch change {
            case .write(let bytes, let offset): Self.put(bytes, at: offset, in: &synced)
            case .truncate(let length): Self.cut(&synced, to: length)
            }
        }
        pending.removeAll { $0.place < place }
    }

    /// A possible state of the file: with all pending writes, none, or each written sector kept, lost or garbled.
    func survivor(_ random: inout SeededGenerator) -> Data {
        var bytes = synced
        let likelihoods: [Double] = [0, 0.5, 0.9, 1]
        let likelihood = likelihoods.randomElement(using: &random) ?? 1
        let mayBeRubbish = Int.random(in: 0..<4, using: &random) == 0
        for (_, change) in pending {
            switch change {
            case .truncate(let length):
                if Double.random(in: 0..<1, using: &random) < likelihood { Self.cut(&bytes, to: length) }
            case .write(let written, let offset):
                for piece in Self.sectors(offset..<offset + written.count) where Double.random(in: 0..<1, using: &random) < likelihood {
                    let start = written.startIndex + piece.lowerBound - offset
                    let isRubbish = mayBeRubbish && Int.random(in: 0..<8, using: &random) == 0
                    let rubbish = Data(repeating: UInt8.random(in: 0...255, using: &random), count: isRubbish ? piece.count : 0)
                    Self.put(isRubbish ? rubbish : written[start..<start + piece.count], at: piece.lowerBound, in: &bytes)
                }
            }
        }
        return bytes
    }

    /// A gap is filled with zeros.
    private static func put(_ piece: Data, at offset: Int, in bytes: inout Data) {
        if bytes.count < offset + piece.count { bytes.count = offset + piece.count }
        bytes.replaceSubrange(offset..<offset + piece.count, with: piece)
    }

    private static func cut(_ bytes: inout Data, to length: Int) { bytes.count = length }

    private static func sectors(_ range: Range<Int>) -> [Range<Int>] {
        stride(from: range.lowerBound / sector * sector, to: range.upperBound, by: sector).map { ($0..<$0 + sector).clamped(to: range) }
    }
}
