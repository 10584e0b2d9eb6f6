// SPDX-License-Identifier: Apache-2.0

import SQLite

/// Ends the process when the state of the disk is unknown ("fail-stop").
///
/// After a failed fsync the kernel may have dropped the dirty pages. A second fsync could then succeed without them, so the store must not
/// retry.
package struct FailStop: Sendable {
    package let end: @Sendable (String) -> Never

    package init(end: @escaping @Sendable (String) -> Never) {
        self.end = end
    }

    /// Ends the process if the error is a failed fsync.
    package func endIfUnsynced(_ error: any Error) {
        guard let error = error as? SQLiteError, error.code == .ioErrorSync else { return }
        end("the disk failed to sync: \(error); everything acknowledged was synced before; check the disk and restart")
    }
}
