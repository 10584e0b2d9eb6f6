// SPDX-License-Identifier: Apache-2.0

/// Where a report belongs: those with the same version and hash share an issue.
package struct GroupKey: Sendable, Equatable {
    /// Which of `Grouping.rules` made it.
    package var version: Int
    /// 16 bytes.
    package var hash: [UInt8]
    /// Of the whole stack: tells apart what is alike at its top. 16 bytes.
    package var variant: [UInt8]
    /// Why, for the person who looks at the issue: «top frame in the app: Cart.checkout».
    package var reason: String
    package var title: String
    /// Where it happened.
    package var culprit: String?

    package init(version: Int, hash: [UInt8], variant: [UInt8], reason: String, title: String, culprit: String?) {
        self.version = version
        self.hash = hash
        self.variant = variant
        self.reason = reason
        self.title = title
        self.culprit = culprit
    }
}
