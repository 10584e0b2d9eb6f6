// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

/// Work that runs until it is interrupted.
enum UntilInterrupted {
    /// SIGINT and SIGTERM are the regular end: the exit code is 0.
    static func run(_ work: () async throws -> Void) async throws {
        let signals = Signal.stream([.interrupt, .terminate])
        async let _: Void = {
            for await _ in signals { OwnProcess.end(code: 0) }
        }()
        try await work()
    }
}
