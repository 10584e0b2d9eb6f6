// SPDX-License-Identifier: Apache-2.0

import Signalbox

/// Streams what a listener's views become. The listener begins with the first read, and ends with the stream.
///
/// - Parameter elements: The elements of one view, which are read before the next view is taken.
func listenerStream<Element: Sendable>(
    _ documents: Documents, _ kind: @escaping @Sendable () throws(DocumentError) -> StreamTarget.Kind, includesMetadata: Bool = false,
    _ elements: @escaping @Sendable (SnapshotFeed.Step) throws -> [Element]
) -> AsyncThrowingStream<Element, any Error> {
    let feed = SnapshotFeed(includesMetadata: includesMetadata)
    let isBegun = Locked(false)
    let waiting = Locked<[Element]>([])
    return AsyncThrowingStream {
        let begins = isBegun.withLock { isBegun in
            defer { isBegun = true }
            return !isBegun
        }
        if begins { try await documents.engine().listen(try kind(), feed) }
        while true {
            if let element = waiting.withLock({ $0.popLast() }) { return element }
            guard let step = try await feed.next() else { return nil }
            let new = try elements(step)
            waiting.withLock { $0 = new.reversed() }
        }
    }
}
