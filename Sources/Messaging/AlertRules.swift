// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Something an app's operator must know: a stable word for why, and a sentence.
package struct AlertCause: Sendable, Equatable {
    package var topic: AlertTopic
    package var cause: String
    package var text: ChatText
    /// What a program needs to do something about it. Chats are made to show these as well.
    package var data: [(name: String, value: ChatText)]

    package init(_ topic: AlertTopic, _ cause: String, _ text: String, data: [(name: String, value: String)] = []) {
        self.topic = topic
        self.cause = cause
        self.text = ChatText(text)
        self.data = data.map { ($0.name, ChatText($0.value)) }
    }

    package static func == (a: AlertCause, b: AlertCause) -> Bool { (a.topic, a.cause) == (b.topic, b.cause) }
}

/// Which of an app's new issues are told one by one: whoever has a public key can make thousands, and what matters would be missed among them.
package struct NewIssues: Sendable {
    package enum Telling: Sendable {
        case itself
        case thatThereAreMore
        case nothing
    }

    private static let most = 20
    private static let window = Timestamp.Span.minutes(10)

    private var began: Timestamp?
    private var count = 0

    package init() {}

    package mutating func next(at now: Timestamp) -> Telling {
        if began.map({ now < $0 || now >= $0 + NewIssues.window }) ?? true { (began, count) = (now, 0) }
        count += 1
        return count <= NewIssues.most ? .itself : count == NewIssues.most + 1 ? .thatThereAreMore : .nothing
    }
}

/// When more is refused than a slip would explain.
package struct QuarantineSpike: Sendable {
    private static let window = 10
    private static let least = 50
    private static let begins = 0.2
    private static let ends = 0.1

    /// Minute by minute, the newest last.
    private var minutes: [(accepted: Int, refused: Int)] = []
    package private(set) var stands = false

    package init(stands: Bool = false) {
        self.stands = stands
    }

    /// Takes a minute's counts in; answers whether a spike stands. It ends at half of what it begins with, so that it does not come and go.
    package mutating func note(accepted: Int, refused: Int) -> Bool {
        minutes.append((accepted, refused))
        if minutes.count > QuarantineSpike.window { minutes.removeFirst() }
        let all = minutes.reduce((accepted: 0, refused: 0)) { ($0.accepted + $1.accepted, $0.refused + $1.refused) }
        let share = Double(all.refused) / Double(max(1, all.accepted + all.refused))
        stands = stands ? share >= QuarantineSpike.ends : all.refused >= QuarantineSpike.least && share >= QuarantineSpike.begins
        return stands
    }
}

/// When far fewer events come than at this hour of the days before.
package enum VolumeDrop {
    private static let share = 0.3
    private static let least = 100
    private static let leastDays = 3

    /// Asked of the last whole hour and the same hour of the days before. Days on which nothing came tell nothing of an hour.
    package static func stands(hour: Int, before: [Int]) -> Bool {
        let usual = before.filter { $0 > 0 }.sorted()
        guard usual.count >= leastDays, case let median = usual[usual.count / 2], median >= least else { return false }
        return Double(hour) < share * Double(median)
    }
}

/// Something that comes again and again while it is bad: it stands until it has not come for ten minutes.
package struct Unrest: Sendable {
    private static let calm = Timestamp.Span.minutes(10)

    /// How often it had come when it was last looked at, and when it began.
    private var known: UInt64
    private var begun: UInt64
    private var last: Timestamp?

    package init(known: UInt64) {
        self.known = known
        begun = known
    }

    /// Takes in how often it has come; answers how often since it began, or nil where it does not stand. `stood` is whether it did when nobody has
    /// looked yet: then it has as long to come again.
    package mutating func note(_ count: UInt64, stood: Bool, at now: Timestamp) -> UInt64? {
        if last == nil { begun = known }
        // It stands no longer because the clock was set back.
        if count > known || last == nil && stood || last.map({ $0 > now }) ?? false { last = now }
        known = count
        guard let last, now < last + Unrest.calm else {
            self.last = nil
            return nil
        }
        return known - begun
    }
}
