// SPDX-License-Identifier: Apache-2.0

/// A family of inputs of one shape. The length of an input is proportional to `n`, apart from a constant part.
///
/// Example: the grower "root: members" of the target "segment" makes `{"batch":[],"k0":0}` for 1, and `{"batch":[],"k0":0,"k1":0}` for 2.
package struct Grower: Sendable {
    /// The fuzz target that reads the inputs.
    package let target: String
    package let name: String
    /// Whether the decoder accepts small inputs.
    package let isAccepted: Bool
    private let make: @Sendable (_ n: Int) -> [UInt8]

    init(_ target: String, _ name: String, isAccepted: Bool = true, _ make: @escaping @Sendable (_ n: Int) -> [UInt8]) {
        (self.target, self.name, self.isAccepted, self.make) = (target, name, isAccepted, make)
    }

    package func input(_ n: Int) -> [UInt8] { make(n) }

    /// The hand-written growers. `Mutations` derives further ones from a corpus.
    package static let all = documents + others
    /// All except the JSON shapes, which are numerous and small.
    package static let others =
        lists + products + texts + accounts + rules + firestore + firestoreExports + documentBodies + documentRequests + ruleCases + binaries
        + minidumps
}
