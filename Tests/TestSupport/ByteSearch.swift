// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension [UInt8] {
    /// Returns where other bytes begin. Foundation searches, as a loop over bytes is slow in a debug build.
    package func place(of part: [UInt8]) -> Int? { Data(self).range(of: Data(part))?.lowerBound }

    /// Whether the bytes contain others.
    package func holds(_ part: [UInt8]) -> Bool { place(of: part) != nil }
}

extension Data {
    /// Counts how often other bytes occur.
    package func occurrences(of part: Data) -> Int {
        var (count, from) = (0, startIndex)
        while let found = range(of: part, in: from..<endIndex) {
            count += 1
            from = found.upperBound
        }
        return count
    }
}
