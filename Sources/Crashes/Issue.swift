// SPDX-License-Identifier: Apache-2.0

import Platform

package enum IssueState: Int, StoredWord {
    case open = 1
    /// Fixed in a release, or everywhere. Dashboards show it as resolved.
    case closed = 2
    /// Known; its alerts are suppressed.
    case muted = 3
}

package enum IssueSignal: Int, StoredWord {
    /// First seen within the last week.
    case fresh = 1
    /// Most crashes happen within seconds of the session's start.
    case early = 2
    /// The same users hit it repeatedly.
    case repetitive = 3
    /// A crash reopened it after it was closed.
    case regressed = 4
}
