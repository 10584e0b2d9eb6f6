// SPDX-License-Identifier: Apache-2.0

import Platform

/// The importance of a line of a log. The numbers are stored.
package enum LineLevel: Int, StoredWord {
    case debug = 1
    case info = 2
    case warning = 3
    case error = 4
}
