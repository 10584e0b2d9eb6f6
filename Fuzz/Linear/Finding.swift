// SPDX-License-Identifier: Apache-2.0

import FuzzGrowers

/// An input of `n` parts, and one of twice as many that costs more than three times the work.
struct Finding {
    let grower: Grower
    let kind: Work.Kind
    let n: Int
    let smaller: (size: Int, work: UInt64)
    let larger: (size: Int, work: UInt64)
    /// The functions with the most work in the larger input.
    let places: [String]

    var ratio: Double { Double(larger.work) / Double(max(1, smaller.work)) }
}
