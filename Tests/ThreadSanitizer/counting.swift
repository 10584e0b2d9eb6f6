// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

// The self-test of `scripts/tsan`: counting under a lock must pass, and counting without one must be reported.

let guarded = Mutex(0)
nonisolated(unsafe) var unguarded = 0

nonisolated func countGuarded(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    for _ in 0..<20_000 { guarded.withLock { $0 += 1 } }
    return nil
}

nonisolated func countUnguarded(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    for _ in 0..<20_000 { unguarded += 1 }
    return nil
}

func onFourThreads(_ work: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?) {
    let threads = (0..<4).map { _ in
        var thread = pthread_t()
        pthread_create(&thread, nil, work, nil)
        return thread
    }
    for thread in threads { pthread_join(thread, nil) }
}

if CommandLine.arguments.contains("unguarded") {
    onFourThreads(countUnguarded)
} else {
    onFourThreads(countGuarded)
    precondition(guarded.withLock { $0 } == 80_000)
}
