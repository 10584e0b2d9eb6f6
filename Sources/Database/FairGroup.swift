// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The jobs that make the next group when not all that wait fit: each app gets an equal part, and the others share what an app does not need.
/// An app with few events so never waits behind one that sends more than can be written.
///
/// Groups of 100; app 1 has jobs of 40, 40 and 40, app 2 one of 10: app 2 needs 10, so app 1 may have 90 and gets two of its jobs.
package struct FairGroup {
    /// The bytes of a group. An item counts as `bytesOfItem` even where it holds fewer.
    private let limit: Int
    private let bytesOfItem: Int

    package init(_ group: JobWeight) {
        limit = group.bytes
        bytesOfItem = max(1, group.bytes / max(1, group.items))
    }

    /// The places in `submissions` to take, in order; each app's stay in theirs. At least one is taken.
    package func places(in submissions: [(app: AppID, weight: JobWeight)]) -> [Int] {
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

    private func cost(of weight: JobWeight) -> Int { max(weight.bytes, weight.items * bytesOfItem) }

    /// What each app may have so that the group is full, if those that want less get what they want.
    private func equalPart(of submissions: [(app: AppID, weight: JobWeight)]) -> Int {
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
