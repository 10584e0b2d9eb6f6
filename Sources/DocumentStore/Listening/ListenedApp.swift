// SPDX-License-Identifier: Apache-2.0

import Listening
import SignalboxDocumentModel

/// The streams of one app, with what their permissions rest on.
struct ListenedApp {
    var listeners: Listeners
    var proofs: ListenProofs

    init(at stamp: Int64) {
        (listeners, proofs) = (Listeners(at: stamp), ListenProofs(at: stamp))
    }

    /// Handles commits of the app, but for those that are older than the first stream.
    mutating func handle(_ commits: some Sequence<CommittedDocuments.Commit>) -> ListenWork {
        var (heard, doubting) = ([ListenedCommit](), Set<ListenStreamID>())
        for commit in commits where commit.stamp > listeners.stamp {
            doubting.formUnion(
                commit.changesRules ? proofs.doubtAll(at: commit.stamp) : proofs.doubt(commit.changes.lazy.map(\.path), at: commit.stamp))
            let changes = commit.changes.filter { listeners.hears($0.path) }.map { DocumentChange($0) }
            heard.append(ListenedCommit(stamp: commit.stamp, changes: changes))
        }
        var work = listeners.commit(heard)
        work.news.formUnion(doubting)
        return work
    }

    /// Goes on to a stamp. If commits were lost, what they changed is read again.
    mutating func catchUp(to stamp: Int64, hasLost: Bool) -> ListenWork {
        if listeners.stamp >= stamp { return ListenWork() }
        guard hasLost else { return listeners.commit(stamp, []) }
        let doubting = proofs.doubtAll(at: stamp)
        var work = listeners.skip(to: stamp)
        work.news.formUnion(doubting)
        return work
    }
}
