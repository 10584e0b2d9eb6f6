// SPDX-License-Identifier: Apache-2.0

/// A queue that serves accounts in turn, and within an account its clients, by the time that each has used.
///
/// The next element is one of the account that has used the least time; of its clients, the one that has used the least. An account that
/// comes back after a pause starts at the time of those that are served now, so that nobody saves up time. Example: account 1 has used
/// 30 ms and waits with 100 elements, account 2 arrives with one; account 2's element is next.
package struct FairQueue<Element> {
    private struct Line {
        /// From `first` on; those before were taken. A slice would hold on to them.
        private var elements: [(number: UInt64, element: Element?)] = []
        private var first = 0
        var used: UInt64 = 0

        var count: Int { elements.count - first }
        var firstNumber: UInt64? { count > 0 ? elements[first].number : nil }

        mutating func add(_ element: Element, number: UInt64, clock: UInt64) {
            if count == 0 { used = max(used, clock) }
            elements.append((number, element))
        }

        mutating func popFirst() -> Element? {
            guard count > 0 else { return nil }
            defer {
                first += 1
                if first * 2 > elements.count {
                    elements.removeFirst(first)
                    first = 0
                }
            }
            return elements[first].element.take()
        }
    }

    private struct Account {
        var used: UInt64 = 0
        var waiting = 0
        /// The time that the client served last had used before; clients that come back start there.
        var clock: UInt64 = 0
    }

    private var lines: [WorkShare: Line] = [:]
    private var accounts: [Int64: Account] = [:]
    private var clock: UInt64 = 0
    private var nextNumber: UInt64 = 0
    package private(set) var count = 0
    /// How many lines are remembered for the time they have used although nothing waits in them.
    private static var remembered: Int { 256 }

    package init() {}

    /// How many elements of a share wait.
    package func waiting(of share: WorkShare) -> Int { lines[share]?.count ?? 0 }

    /// How many elements of an account wait, of all its clients.
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
        accounts[share.account]?.clock = lines[share]?.used ?? 0
        clock = accounts[share.account]?.used ?? clock
        return (share, element)
    }

    /// Adds to the time that a share has used.
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

    /// Drops what is remembered of shares for which nothing waits; those that have used the most are remembered longest.
    private mutating func forget() {
        let idle = lines.filter { $0.value.count == 0 }.sorted { $0.value.used < $1.value.used }
        for (share, _) in idle.prefix(max(0, idle.count - FairQueue.remembered / 4)) { lines[share] = nil }
        let named = Set(lines.keys.map(\.account))
        accounts = accounts.filter { $0.value.waiting > 0 || named.contains($0.key) }
    }
}
