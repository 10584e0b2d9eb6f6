// SPDX-License-Identifier: Apache-2.0

/// The consequences of a step.
package struct ListenWork: Hashable, Sendable {
    /// Streams that may have something to send.
    package var news: Set<ListenStreamID> = []
    package var reads: [ListenRead] = []
    /// The bytes of results that streams hold now, of those with more or fewer than before.
    package var loaded: [ListenStreamID: Int] = [:]

    package init(news: Set<ListenStreamID> = [], reads: [ListenRead] = []) {
        (self.news, self.reads) = (news, reads)
    }
}

extension ListenWork {
    mutating func add(_ other: ListenWork) {
        news.formUnion(other.news)
        reads += other.reads
        loaded.merge(other.loaded) { _, newer in newer }
    }
}
