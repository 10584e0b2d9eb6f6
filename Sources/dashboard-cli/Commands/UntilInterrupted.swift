// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

/// Work that goes on until somebody ends it.
enum UntilInterrupted {
    /// Ctrl-C, or the supervisor's word, is the way such work is meant to end: it has done what it was asked for.
    static func run(_ work: () async throws -> Void) async throws {
        let signals = Signal.stream([.interrupt, .terminate])
        async let _: Void = {
            for await _ in signals { OwnProcess.end(code: 0) }
        }()
        try await work()
    }
}
