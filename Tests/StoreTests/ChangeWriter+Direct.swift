// SPDX-License-Identifier: Apache-2.0

import Platform

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

extension ChangeWriter {
    /// Commits changes on the caller's thread, as the engine would.
    func process(_ changes: [Change<Context>]) -> Notice? {
        let queue = WriteQueue<Change<Context>>(.changes(1_000), full: .tooManyChanges(to: "a test's file"))
        for change in changes { queue.add(change) }
        let (group, _) = queue.take()
        let notice = process(group, in: queue)
        maintain()
        return notice
    }
}
