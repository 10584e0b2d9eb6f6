// SPDX-License-Identifier: Apache-2.0

import Platform

/// Which of the waiting events come next when not all of them fit into a group: every app gets the same part, and what some need not goes to
/// the others. So an app with few events does not wait behind one that sends more than can be written.
struct FairGroup {
    /// What a group may weigh, in bytes: an event counts as so many even where it holds fewer.
    private let limit: Int
    private let bytesOfEvent: Int

    init(events: Int, bytes: Int) {
        limit = bytes
        bytesOfEvent = max(1, bytes / max(1, events))
    }

    /// The places in `submissions` to take, in order; each app's stay in theirs. At least one is taken.
    func places(in submissions: [(app: AppID, weight: Batcher.Weight)]) -> [Int] {
        let part = equalPart(of: submissions)
        var taken: [AppID: Int] = [:]
        var finished: Set<AppID> = []
        var total = 0
        return submissions.indices.filter { place in
            let (app, weight) = submissions[place]
            guard !finished.contains(app) else { return false }
            let (cost, before) = (cost(of: weight), taken[app, default: 0])
            // One submission may be larger than an app's part, or than a group.
            guard before == 0 || before + cost <= part, total == 0 || total + cost <= limit else {
                finished.insert(app)
                return false
            }
            taken[app] = before + cost
            total += cost
            return true
        }
    }

    private func cost(of weight: Batcher.Weight) -> Int { max(weight.bytes, weight.events * bytesOfEvent) }

    /// What each app may have so that the group is full, if those that want less get what they want.
    private func equalPart(of submissions: [(app: AppID, weight: Batcher.Weight)]) -> Int {
        var wanted: [AppID: Int] = [:]
        for (app, weight) in submissions { wanted[app, default: 0] += cost(of: weight) }
        var (left, apps) = (limit, wanted.count)
        for want in wanted.values.sorted() where apps > 0 {
            guard want <= left / apps else { return left / apps }
            left -= want
            apps -= 1
        }
        return limit
    }
}
