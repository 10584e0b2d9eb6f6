// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// Parts of sessions collected from events, one for most sessions.
///
/// An event is joined to the newest part of its session if it is of the same UTC day and, without a session ID, nearer than the timeout.
/// Otherwise it begins a part. A session may therefore have several parts, which a query joins:
///
///     events of i without a session ID     10:00   10:10   14:00   10:20        timeout 30 minutes
///     parts                                10:00–10:10, 14:00, 10:20
///     sessions                             10:00–10:20, 14:00
///
/// So an event costs one lookup, in whatever order events arrive.
package struct SessionFold: Sendable {
    package struct Entry: Sendable {
        var app: Int64
        package var part: SessionPart
    }

    package private(set) var entries: [Entry] = []
    /// A hash index of the newest part of each session: each slot has an index into `entries` plus one, 0 if free.
    private var slots = [UInt32](repeating: 0, count: 256)
    private var indexed = 0

    package init() {}

    /// Adds an event, given as a part.
    ///
    /// - Parameter version: Returns the version of a context. Called only for events of a session at the same time.
    /// - Returns: The place of the entry that has the event.
    @discardableResult
    mutating func add(_ part: SessionPart, app: Int64, timeout: Int64, version: (UInt32) -> [UInt8]?) -> Int {
        if part.isLooseCrash {
            entries.append(Entry(app: app, part: part))
            return entries.count - 1
        }
        let slot = find(app, part)
        if slots[slot] == 0 {
            indexed += 1
        } else {
            let place = Int(slots[slot]) - 1
            if entries[place].part.take(part, timeout, version) { return place }
        }
        entries.append(Entry(app: app, part: part))
        slots[slot] = UInt32(truncatingIfNeeded: entries.count)
        if indexed * 2 > slots.count { grow() }
        return entries.count - 1
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        for slot in slots.indices { slots[slot] = 0 }
        indexed = 0
    }

    /// Removes parts. The others stay; later events of their sessions begin new parts.
    mutating func remove(where isGone: (Entry) -> Bool) {
        let rest = entries.filter { !isGone($0) }
        removeAll()
        entries = rest
    }

    private func find(_ app: Int64, _ part: SessionPart) -> Int {
        let mask = slots.count - 1
        var slot = SessionFold.hash(app, part) & mask
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if entries[place].part.subject == part.subject, entries[place].part.session == part.session, entries[place].app == app { break }
            slot = (slot + 1) & mask
        }
        return slot
    }

    private static func hash(_ app: Int64, _ part: SessionPart) -> Int {
        let key = part.subject &* 0x9e37_79b9_7f4a_7c15 ^ part.session ^ UInt64(bitPattern: app)
        return Int(truncatingIfNeeded: (key &* 0xff51_afd7_ed55_8ccd) >> 33)
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt32](repeating: 0, count: old.count * 2)
        for number in old where number != 0 {
            let entry = entries[Int(number) - 1]
            slots[find(entry.app, entry.part)] = number
        }
    }
}

extension SessionPart {
    /// Adds an event that belongs to the session of this part, as far as this part shows. Returns false for another.
    ///
    /// Nearly every event is one of these and later than the part, so this case does little.
    fileprivate mutating func take(_ event: SessionPart, _ timeout: Int64, _ version: (UInt32) -> [UInt8]?) -> Bool {
        guard SessionPart.isSameDay(event.first, last) else { return false }
        if session == 0, event.first - last >= timeout || first - event.first >= timeout { return false }
        if event.first <= first { context = context(with: event, version) }
        join(event)
        return true
    }

    private static func isSameDay(_ one: Int64, _ other: Int64) -> Bool {
        // A division by a constant is a multiplication.
        one >= 0 && other >= 0
            ? one / 86_400_000 == other / 86_400_000
            : one.flooredQuotient(by: Day.milliseconds) == other.flooredQuotient(by: Day.milliseconds)
    }

    /// Returns the context of the first event of both parts.
    private func context(with other: SessionPart, _ version: (UInt32) -> [UInt8]?) -> UInt32 {
        if first != other.first { return first < other.first ? context : other.context }
        if context == other.context { return context }
        // A version with the name of no value is none.
        func named(_ context: UInt32) -> [UInt8]? { version(context).flatMap { $0.elementsEqual(BreakdownName.none.utf8) ? nil : $0 } }
        guard let mine = named(context) else { return other.context }
        guard let others = named(other.context) else { return context }
        return others.lexicographicallyPrecedes(mine) ? other.context : context
    }
}
