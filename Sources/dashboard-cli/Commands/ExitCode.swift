// SPDX-License-Identifier: Apache-2.0

import Panes

/// Exit codes of the program.
enum ExitCode {
    static let failed: Int32 = 1
    static let denied: Int32 = 3
    static let unreachable: Int32 = 4
    /// A limit of `check` is violated.
    static let breached: Int32 = 5

    static let words = "0 done, 1 failed, 2 wrong usage, 3 access denied, 4 daemon unreachable, 5 limit violated (`check`)"
}
