// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// The parts of indexes that answer a query, with whole keys.
struct IndexPlan {
    struct Part {
        let scan: IndexScan
        let lower: [UInt8]
        let upper: [UInt8]

        init(_ scan: IndexScan, prefix: [UInt8]) {
            self.scan = scan
            lower = prefix + scan.lower
            upper = scan.upper.map { prefix + $0 } ?? Part.end(of: prefix)
        }

        /// The first bytes behind all keys with a prefix. The first byte of a prefix is never the last one.
        private static func end(of prefix: [UInt8]) -> [UInt8] {
            guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return prefix }
            return prefix[..<last] + [prefix[last] + 1]
        }
    }

    /// No parts find nothing.
    let parts: [Part]
}
