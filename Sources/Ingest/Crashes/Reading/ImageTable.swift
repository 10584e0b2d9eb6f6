// SPDX-License-Identifier: Apache-2.0

import Crashes

/// The load addresses of a report's images, by index and by debug ID. The first of several images with one ID counts.
struct ImageTable {
    private let addresses: [UInt64?]
    private let numbers: [DebugID: Int]

    init(_ images: [BinaryImage]) {
        addresses = images.map(\.address)
        let named = images.enumerated().compactMap { number, image in image.debugID.map { ($0, number) } }
        numbers = Dictionary(named) { first, _ in first }
    }

    func address(ofNumber number: Int) -> UInt64? {
        addresses.indices.contains(number) ? addresses[number] : nil
    }

    func address(of id: DebugID) -> UInt64? {
        numbers[id].flatMap { addresses[$0] }
    }
}
