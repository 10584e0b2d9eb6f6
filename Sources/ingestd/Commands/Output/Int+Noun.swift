// SPDX-License-Identifier: Apache-2.0

extension Int {
    /// The number with its noun: `1 line`, `3 lines`.
    func of(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }

    /// The number of those that were refused: `1 line was refused`, `3 lines were refused`.
    func refused(_ noun: String) -> String { "\(of(noun)) \(self == 1 ? "was" : "were") refused" }
}
