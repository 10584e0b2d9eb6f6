// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Records whether a target's decoder accepted an input, which reveals growers whose inputs are always rejected.
private final class Acceptance: Sendable {
    @TaskLocal static var current: Acceptance?
    let isAccepted = Atomic(false)
}

extension FuzzTarget {
    package func accepts(_ input: [UInt8]) -> Bool {
        let acceptance = Acceptance()
        Acceptance.$current.withValue(acceptance) { run(input) }
        return acceptance.isAccepted.load(ordering: .relaxed)
    }
}

/// Called by each target once its decoder has accepted the input.
func accepted() { Acceptance.current?.isAccepted.store(true, ordering: .relaxed) }
