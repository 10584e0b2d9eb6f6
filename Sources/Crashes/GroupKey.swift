// SPDX-License-Identifier: Apache-2.0

/// The result of grouping a report. Reports with the same version and hash share a group.
package struct GroupKey: Sendable, Equatable {
    /// The version of the `GroupingRule` that computed the key.
    package var version: Int
    /// The group's hash, 16 bytes.
    package var hash: [UInt8]
    /// A hash of the whole stack, 16 bytes. It distinguishes the different stacks of one group.
    package var stackHash: [UInt8]
    /// The explanation shown with the issue, such as `top frame in the app: Cart.checkout`.
    package var reason: String
    package var title: String
    /// The function in which the fault occurred.
    package var culprit: String?

    package init(version: Int, hash: [UInt8], stackHash: [UInt8], reason: String, title: String, culprit: String?) {
        self.version = version
        self.hash = hash
        self.stackHash = stackHash
        self.reason = reason
        self.title = title
        self.culprit = culprit
    }
}
