// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The clocks of the kernel.
package enum SystemClock {
    /// Returns the time of a clock in nanoseconds, for example of `CLOCK_MONOTONIC`.
    package static func nanoseconds(_ clock: Int32) -> Int64 { clinux_clock(clock) }

    /// Returns the time of a clock in whole milliseconds.
    package static func milliseconds(_ clock: Int32) -> Int64 { nanoseconds(clock) / 1_000_000 }
}
