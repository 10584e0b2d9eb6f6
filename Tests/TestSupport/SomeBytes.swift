// SPDX-License-Identifier: Apache-2.0

/// Returns bytes for a file of a test. Those of another seed differ at nearly every place, and no block is like another.
package func someBytes(_ count: Int, seed: Int = 1) -> [UInt8] {
    // Copies of a block, as a closure for each byte is slow in a debug build. Each copy begins with its number.
    let block = (0..<min(count, 8_191)).map { UInt8(truncatingIfNeeded: ($0 &* 31 ^ $0 >> 8) &+ seed) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + block.count)
    while bytes.count < count {
        let start = bytes.count
        bytes += block
        guard start > 0 else { continue }
        let number = start / block.count
        (bytes[start], bytes[start + 1]) = (UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8))
    }
    bytes.removeLast(bytes.count - count)
    return bytes
}
