// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Selects the jobs of a group by max-min fairness when not all waiting jobs fit.
///
/// Each app gets an equal share, and the others divide what an app does not need. An app with few events therefore never waits behind one
/// that sends more than the disk can write.
///
///     limit 100; waiting: app 1 40, 40, 40; app 2 10
///     shares       app 2 needs 10; app 1 may have the remaining 90
///     the group    app 1 40, 40; app 2 10
package struct FairGroup {
    /// The limit in bytes. An item costs at least `bytesOfItem`, so that the limit on items holds too.
    private let limit: Int
    private let bytesOfItem: Int

    package init(_ group: JobWeight) {
        limit = group.bytes
        bytesOfItem = max(1, group.bytes / max(1, group.items))
    }

    /// Returns the indices in `submissions` to take, ascending, so each app's jobs keep their order. At least one is taken.
    package func places(in submissions: [(app: AppID, weight: JobWeight)]) -> [Int] {
        let part = equalPart(of: submissions)
        var taken: [AppID: Int] = [:]
        var finished: Set<AppID> = []
        var total = 0
        return submissions.indices.filter { place in
            let (app, weight) = submissions[place]
            guard !finished.contains(app) else { return false }
            let (cost, before) = (cost(of: weight), taken[app, default: 0])
            // A single submission may exceed the share of its app, or the group.
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

    /// Returns the share per app that fills the group if apps that need less get what they need.
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
