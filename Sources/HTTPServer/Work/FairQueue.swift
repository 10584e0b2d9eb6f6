// SPDX-License-Identifier: Apache-2.0

import Platform

/// A queue that is fair among accounts, and within an account among clients, by used processing time.
///
/// The next element belongs to the account with the least used time, and within it to the client with the least. An account that returns
/// after a pause starts at the time of those served now, so that time cannot be saved up. Example: account 1 has used 30 ms and has 100
/// elements queued; account 2 arrives with one element, which is served next.
package struct FairQueue<Element> {
    private struct Line {
        private var elements = Fifo<(number: UInt64, element: Element)>()
        var used: UInt64 = 0

        var count: Int { elements.count }
        var firstNumber: UInt64? { elements.first?.number }

        mutating func add(_ element: Element, number: UInt64, clock: UInt64) {
            if elements.isEmpty { used = max(used, clock) }
            elements.append((number, element))
        }

        mutating func popFirst() -> Element? { elements.popFirst()?.element }
    }

    private struct Account {
        var used: UInt64 = 0
        var waiting = 0
        /// The used time of the client served last; returning clients start there.
        var clock: UInt64 = 0
    }

    private var lines: [WorkShare: Line] = [:]
    private var accounts: [Int64: Account] = [:]
    private var clock: UInt64 = 0
    private var nextNumber: UInt64 = 0
    package private(set) var count = 0
    /// The limit of idle lines whose used time is remembered.
    private static var remembered: Int { 256 }

    package init() {}

    /// Returns the number of queued elements of a share.
    package func waiting(of share: WorkShare) -> Int { lines[share]?.count ?? 0 }

    /// Returns the number of queued elements of an account.
    package func waiting(ofAccount account: Int64) -> Int { accounts[account]?.waiting ?? 0 }

    package mutating func append(_ element: Element, for share: WorkShare) {
        var account = accounts[share.account] ?? Account(used: clock)
        if account.waiting == 0 { account.used = max(account.used, clock) }
        account.waiting += 1
        accounts[share.account] = account
        lines[share, default: Line()].add(element, number: nextNumber, clock: account.clock)
        nextNumber += 1
        count += 1
    }

    package mutating func popFirst() -> (share: WorkShare, element: Element)? {
        guard let share = next(), let element = lines[share]?.popFirst() else { return nil }
        count -= 1
        accounts[share.account]?.waiting -= 1
        precondition(count >= 0 && waiting(ofAccount: share.account) >= 0, "every queued element is counted for its account")
        accounts[share.account]?.clock = lines[share]?.used ?? 0
        clock = accounts[share.account]?.used ?? clock
        return (share, element)
    }

    /// Adds to the used time of a share.
    package mutating func charge(_ time: UInt64, to share: WorkShare) {
        lines[share]?.used += time
        accounts[share.account]?.used += time
        if lines.count > FairQueue.remembered { forget() }
    }

    private func next() -> WorkShare? {
        var best: (share: WorkShare, rank: (UInt64, UInt64, UInt64))?
        for (share, line) in lines {
            guard let first = line.firstNumber, let account = accounts[share.account] else { continue }
            let rank = (account.used, line.used, first)
            if best.map({ rank < $0.rank }) ?? true { best = (share, rank) }
        }
        return best?.share
    }

    /// Drops idle lines above the limit; those with the most used time are kept longest.
    private mutating func forget() {
        let idle = lines.filter { $0.value.count == 0 }.sorted { $0.value.used < $1.value.used }
        for (share, _) in idle.prefix(max(0, idle.count - FairQueue.remembered / 4)) { lines[share] = nil }
        let named = Set(lines.keys.map(\.account))
        accounts = accounts.filter { $0.value.waiting > 0 || named.contains($0.key) }
    }
}
