// SPDX-License-Identifier: Apache-2.0

import SQLite

/// Ends the process when the state of the disk is no longer known ("fail-stop").
package struct FailStop: Sendable {
    package let end: @Sendable (String) -> Never

    package init(end: @escaping @Sendable (String) -> Never) {
        self.end = end
    }

    /// Ends the process after a failed sync: the kernel may have dropped the dirty pages, so a second sync could succeed without them.
    package func endIfUnsynced(_ error: any Error) {
        guard let error = error as? SQLiteError, error.code == .ioErrorSync else { return }
        end("the disk failed to sync: \(error); everything acknowledged was synced before; check the disk and restart")
    }
}
