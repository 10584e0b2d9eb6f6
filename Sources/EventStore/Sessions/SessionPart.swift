// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The subject of sessions: the installation of an event, else its user. It does not depend on a query's range.
package enum SessionSubject {
    /// Returns the key of an event's subject; 0 for none.
    package static func key(user: UInt64, installation: UInt64) -> UInt64 { installation != 0 ? installation : user }
}

/// A part of a session: what some of its events add to it.
///
/// Two parts of a session are joined by minimum, maximum and union, so parts may be joined in any order, and joining a part twice changes
/// nothing. A part has events of one UTC day only, so a query that reads whole days knows all about the events of these days.
///
///     events of i, session s     10:00 view   10:05 view   10:05 purchase by user u
///     part of one commit         10:00–10:05, views 7 and 8, sale, u since 10:05
///     part of the next commit    10:20–10:20, view 31
///     joined                     10:00–10:20, views 7 and 31 (at least two), sale, u since 10:05
package struct SessionPart: Sendable, Hashable {
    package struct Flags: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let sale = Flags(rawValue: 1)
        package static let crash = Flags(rawValue: 2)
        /// An event that does not report a crash.
        package static let activity = Flags(rawValue: 4)
        fileprivate static let all: Flags = [.sale, .crash, .activity]
    }

    private static let times: Range<Int64> = -(1 << 48)..<1 << 48

    package var subject: UInt64
    /// The key of the session ID; 0 for none.
    package var session: UInt64
    package var first: Int64
    package var last: Int64
    /// The user named earliest, the lesser of two keys at the same time; 0 for none.
    package var user: UInt64 = 0
    package var userTime: Int64 = 0
    /// The number of the first event's context in the file. Of several at that time, the one with the least version.
    package var context: UInt32 = 0
    package var flags: Flags = []
    package var views = ViewNumbers()

    /// Creates the part of one event.
    package init(subject: UInt64, session: UInt64, time: Int64, user: UInt64 = 0) {
        (self.subject, self.session, first, last) = (subject, session, time, time)
        if user != 0 { (self.user, userTime) = (user, time) }
    }

    /// Whether it is a crash event that names no session. Its session is found by the query, as it depends on all others around it.
    package var isLooseCrash: Bool { session == 0 && flags == .crash }

    package var day: Day { Day(of: Timestamp(milliseconds: first)) }

    /// Whether it has a subject, and times in order and of one UTC day, within a limit beyond which sums could overflow. A damaged row may
    /// have others.
    var isPlausible: Bool {
        guard subject != 0, SessionPart.times.contains(first), first <= last, Day(of: Timestamp(milliseconds: last)) == day else { return false }
        return user == 0 ? userTime == 0 : (first...last).contains(userTime)
    }

    /// Adds another part of the session, without its context.
    package mutating func join(_ other: SessionPart) {
        first = min(first, other.first)
        last = max(last, other.last)
        flags.formUnion(other.flags)
        views.join(other.views)
        guard other.user != 0 else { return }
        if user == 0 || (other.userTime, other.user) < (userTime, user) { (user, userTime) = (other.user, other.userTime) }
    }
}

/// The lower halves of the first and the last number of some screen views. They differ if there are two.
package struct ViewNumbers: Sendable, Hashable {
    fileprivate var first = UInt32.max
    fileprivate var last: UInt32 = 0

    package init() {}

    init(of seq: Int64) {
        first = UInt32(truncatingIfNeeded: seq)
        last = first
    }

    fileprivate init(first: UInt32, last: UInt32) {
        (self.first, self.last) = (first, last)
    }

    /// The number of views, at most 2.
    package var count: Int { first > last ? 0 : first == last ? 1 : 2 }

    package mutating func join(_ other: ViewNumbers) {
        (first, last) = (min(first, other.first), max(last, other.last))
    }
}

/// The stored form: eight words.
extension SessionPart {
    static let words = 8

    init(_ words: Span<UInt64>, at: Int) {
        (subject, session) = (words[at], words[at + 1])
        (first, last) = (Int64(bitPattern: words[at + 2]), Int64(bitPattern: words[at + 3]))
        (user, userTime) = (words[at + 4], Int64(bitPattern: words[at + 5]))
        context = UInt32(truncatingIfNeeded: words[at + 6])
        views = ViewNumbers(first: UInt32(truncatingIfNeeded: words[at + 6] >> 32), last: UInt32(truncatingIfNeeded: words[at + 7]))
        flags = Flags(rawValue: UInt8(truncatingIfNeeded: words[at + 7] >> 32) & Flags.all.rawValue)
    }

    func append(to words: inout [UInt64]) {
        words.append(subject)
        words.append(session)
        words.append(UInt64(bitPattern: first))
        words.append(UInt64(bitPattern: last))
        words.append(user)
        words.append(UInt64(bitPattern: userTime))
        words.append(UInt64(views.first) << 32 | UInt64(context))
        words.append(UInt64(flags.rawValue) << 32 | UInt64(views.last))
    }
}
