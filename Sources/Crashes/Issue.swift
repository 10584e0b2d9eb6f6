// SPDX-License-Identifier: Apache-2.0

import Platform

package enum IssueState: Int, StoredWord {
    case open = 1
    /// Mended with a release.
    case closed = 2
    /// Known, and not to be told of.
    case muted = 3
}

package enum IssueSignal: Int, StoredWord {
    /// New in the last week.
    case fresh = 1
    /// Most of its crashes come early in a session.
    case early = 2
    /// The same people meet it again and again.
    case repetitive = 3
    /// It came back after it was closed.
    case regressed = 4
}
