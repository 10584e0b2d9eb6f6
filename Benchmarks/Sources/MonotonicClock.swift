// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Returns the seconds of the monotonic clock, for spans of time.
func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
