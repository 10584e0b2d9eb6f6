// SPDX-License-Identifier: Apache-2.0

import SQLite

/// What is done when nobody can know any more what is on the disk: the process ends.
struct LastResort: Sendable {
    let end: @Sendable (String) -> Never

    /// After a failed sync the kernel may have thrown the pages away; a second try could succeed and lie.
    func endIfUnsynced(_ error: any Error) {
        guard let error = error as? SQLiteError, error.code == .ioErrorSync else { return }
        end("the disk failed to sync: \(error); everything acknowledged was synced before; check the disk and restart")
    }
}
