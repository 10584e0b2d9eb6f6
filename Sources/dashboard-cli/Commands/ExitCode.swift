// SPDX-License-Identifier: Apache-2.0

import Panes

/// What a script learns from how a command ended.
enum ExitCode {
    static let failed: Int32 = 1
    static let denied: Int32 = 3
    static let unreachable: Int32 = 4
    /// A limit that `check` was told of is not kept.
    static let breached: Int32 = 5

    static let words = "0 done, 1 failed, 2 wrong usage, 3 the key is not let in, 4 nobody answers, 5 a limit is not kept (`check`)"
}
