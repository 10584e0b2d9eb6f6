// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The reason for an alert: a stable code and a sentence.
package struct AlertCause: Sendable, Equatable {
    package var topic: DaemonTopic
    package var cause: String
    package var text: ChatText
    /// Fields for programs. They are safe to show in a chat.
    package var data: [(name: String, value: ChatText)]

    package init(_ topic: DaemonTopic, _ cause: String, _ text: String, data: [(name: String, value: String)] = []) {
        self.topic = topic
        self.cause = cause
        self.text = ChatText(text)
        self.data = data.map { ($0.name, ChatText($0.value)) }
    }

    package static func == (a: AlertCause, b: AlertCause) -> Bool { (a.topic, a.cause) == (b.topic, b.cause) }
}

/// The budget of individual alerts about new non-fatal issues: 20 within ten minutes. Without it, anyone with a public key could hide the
/// important alerts among thousands.
///
///     21 new issues at 12:00   20 × true, 1 × false
///     a new issue at 12:10     true
package struct NewIssueBudget: Sendable {
    package static let alerts = 20
    package static let window = Timestamp.Span.minutes(10)

    private var began: Timestamp?
    private var count = 0

    package init() {}

    /// Returns whether the budget has an alert left, and spends it.
    package mutating func spend(at now: Timestamp) -> Bool {
        if began.map({ now < $0 || now >= $0 + NewIssueBudget.window }) ?? true { (began, count) = (now, 0) }
        guard count < NewIssueBudget.alerts else { return false }
        count += 1
        return true
    }
}

/// Detects an unusual number of quarantined events.
package struct QuarantineSpike: Sendable {
    private static let window = 10
    private static let least = 50
    private static let begins = 0.2
    private static let ends = 0.1

    /// The counts per minute, the newest last.
    private var minutes: [(accepted: Int, quarantined: Int)] = []
    package private(set) var stands = false

    package init(stands: Bool = false) {
        self.stands = stands
    }

    /// Adds the counts of a minute. Returns whether there is a spike. It ends at half of the threshold at which it starts, so that it does
    /// not flap.
    package mutating func note(accepted: Int, quarantined: Int) -> Bool {
        minutes.append((accepted, quarantined))
        if minutes.count > QuarantineSpike.window { minutes.removeFirst() }
        let all = minutes.reduce((accepted: 0, quarantined: 0)) { ($0.accepted + $1.accepted, $0.quarantined + $1.quarantined) }
        let share = Double(all.quarantined) / Double(max(1, all.accepted + all.quarantined))
        stands = stands ? share >= QuarantineSpike.ends : all.quarantined >= QuarantineSpike.least && share >= QuarantineSpike.begins
        return stands
    }
}

/// Detects far fewer events than at the same hour of previous days.
package enum VolumeDrop {
    private static let share = 0.3
    private static let least = 100
    private static let leastDays = 3

    /// Returns whether the last whole hour is a drop compared with the same hour of previous days. Days without any events do not count.
    package static func stands(hour: Int, before: [Int]) -> Bool {
        let usual = before.filter { $0 > 0 }.sorted()
        guard usual.count >= leastDays, case let median = usual[usual.count / 2], median >= least else { return false }
        return Double(hour) < share * Double(median)
    }
}

/// A recurring problem. It stays active until it has not recurred for ten minutes.
package struct RecurringProblem: Sendable {
    private static let quietPeriod = Timestamp.Span.minutes(10)

    /// The count at the last check and the count at the start.
    private var known: UInt64
    private var begun: UInt64
    private var last: Timestamp?

    package init(known: UInt64) {
        self.known = known
        begun = known
    }

    /// Updates the count. Returns the number of occurrences since the start, or nil if the problem is not active. `stood` is whether it was
    /// active before a restart: it then has the same time to recur.
    package mutating func note(_ count: UInt64, stood: Bool, at now: Timestamp) -> UInt64? {
        if last == nil { begun = known }
        // A clock that was set back does not end it.
        if count > known || last == nil && stood || last.map({ $0 > now }) ?? false { last = now }
        known = count
        guard let last, now < last + RecurringProblem.quietPeriod else {
            self.last = nil
            return nil
        }
        return known - begun
    }
}
