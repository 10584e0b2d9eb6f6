// SPDX-License-Identifier: Apache-2.0

import Listening
import Platform
import Synchronization

/// The reads that wait for a reader. There is at most one for each target of a stream, so the limits of these bound the queue.
///
/// Apps have turns, and within an app the places of its clients, its servers, and the rows that all subscribers of a target share. Those without
/// room for a result are passed over; rows that are shared need none, as no stream holds them:
///
///     app 1, address a    30 MB, 30 MB, 30 MB    the first is read, the others when the client has received it
///     app 1, address b    1 KB                   second of app 1
///     app 2, a server     1 KB                   after the first of app 1
///
/// Short reads wait in a line of their own, which some readers serve alone, as large results may wait for room. Those of users that turned out
/// to be long wait in another, with readers that make nothing else, as these wait for users' queries.
final class ListenReadQueue: Sendable {
    /// Reads for one reader, of one group.
    struct Group {
        let app: AppID
        var reads: [ListenRead]
    }

    /// Those who make reads.
    enum Readers {
        case ofShort
        /// Of all but the long ones of users.
        case ofAny
        case ofLongOfUsers
    }

    enum Next {
        case reads(Group)
        /// Reads wait, but there is no room for their results; one who waits, and whether for a short read.
        case noRoom(ListenShare, isShort: Bool)
        /// The queue has ended.
        case over
    }

    private typealias Reader = CheckedContinuation<Void, Never>

    private struct State {
        var short = ListenReadLine(isShort: true)
        var long = ListenReadLine(isShort: false)
        var longOfUsers = ListenReadLine(isShort: false)
        /// The readers that wait.
        var waiting: [Readers: [Reader]] = [:]
        var isOver = false

        mutating func take(for readers: Readers, from memory: ListenMemory) -> Next? {
            if isOver { return .over }
            if readers == .ofLongOfUsers { return longOfUsers.take(from: memory) }
            let long = readers == .ofShort ? nil : long.take(from: memory)
            if case .reads = long { return long }
            let short = short.take(from: memory)
            if case .reads = short { return short }
            // Room for short reads is made by their own readers.
            return long ?? short
        }
    }

    private let state = Mutex(State())

    /// - Parameter isLongOfUsers: Whether the read is for users and turned out to be long.
    func add(_ read: ListenRead, _ app: AppID, isLongOfUsers: Bool = false) {
        let reader = state.withLock { state -> Reader? in
            if state.isOver { return nil }
            if isLongOfUsers {
                state.longOfUsers.add(read, app)
                return state.waiting[.ofLongOfUsers]?.popLast()
            }
            if read.isShort { state.short.add(read, app) } else { state.long.add(read, app) }
            return (read.isShort ? state.waiting[.ofShort]?.popLast() : nil) ?? state.waiting[.ofAny]?.popLast()
        }
        reader?.resume()
    }

    /// Returns the next reads for whose results there is room, for one of some readers. Waits while there are no reads.
    func next(for readers: Readers, _ memory: ListenMemory) async -> Next {
        while true {
            var next: Next?
            await withCheckedContinuation { reader in
                next = state.withLock { state in
                    let next = state.take(for: readers, from: memory)
                    if next == nil { state.waiting[readers, default: []].append(reader) }
                    return next
                }
                if next != nil { reader.resume() }
            }
            if let next { return next }
        }
    }

    func end() {
        let readers = state.withLock { state in
            defer { state = State(isOver: true) }
            return state.waiting.values.flatMap(\.self)
        }
        for reader in readers { reader.resume() }
    }
}

/// Reads in the order of turns.
struct ListenReadLine {
    private struct Waiting {
        let read: ListenRead
        let app: AppID
        /// The hash of the app and the group.
        let hash: Int

        init(_ read: ListenRead, _ app: AppID) {
            (self.read, self.app) = (read, app)
            var hasher = Hasher()
            hasher.combine(app)
            hasher.combine(read.group)
            hash = hasher.finalize()
        }

        func isMade(with other: Waiting) -> Bool { hash == other.hash && app == other.app && read.group == other.read.group }
    }

    /// Those who have turns in an app.
    private enum Waiter: Hashable {
        /// All subscribers of a target.
        case all
        case servers
        case place(ListenClient.Place)

        init(_ client: ListenClient?) {
            guard let client else {
                self = .all
                return
            }
            self = client.place.map(Waiter.place) ?? .servers
        }
    }

    /// The numbers of an app's reads by those who wait for them, who have turns.
    private struct OfApp {
        var numbers: [Waiter: Fifo<Int>] = [:]
        var turns = Fifo<Waiter>()
    }

    /// The most reads that are made together.
    private static let together = 500
    /// The apps, and those who wait in an app, that are asked for room at once.
    private static let asked = 64

    let isShort: Bool
    private var waiting: [Int: Waiting] = [:]
    /// The numbers of the reads of each group, also of some that do not wait any more.
    private var groups: [Int: Fifo<Int>] = [:]
    private var apps: [AppID: OfApp] = [:]
    private var turns = Fifo<AppID>()
    private var last = 0

    init(isShort: Bool) { self.isShort = isShort }

    mutating func add(_ read: ListenRead, _ app: AppID) {
        last += 1
        let new = Waiting(read, app)
        waiting[last] = new
        groups[new.hash, default: Fifo()].append(last)
        if apps[app] == nil {
            apps[app] = OfApp()
            turns.append(app)
        }
        let waiter = Waiter(read.client)
        if apps[app]?.numbers[waiter] == nil { apps[app]?.turns.append(waiter) }
        apps[app]?.numbers[waiter, default: Fifo()].append(last)
    }

    /// Takes the next read that has room, with those that are made together with it; nil if none waits.
    mutating func take(from memory: ListenMemory) -> ListenReadQueue.Next? {
        var lacking: [ListenShare] = []
        var asked = 0
        while asked < min(ListenReadLine.asked, turns.count), let app = turns.popFirst() {
            let next = takeNext(of: app, from: memory, &lacking)
            if apps[app]?.turns.isEmpty == true {
                // Its reads were made with others. It does not count as asked, as the apps behind it are still to be asked.
                apps[app] = nil
            } else {
                turns.append(app)
                asked += 1
            }
            if let next { return .reads(group(next)) }
        }
        // Any of them, as one that lacks room for long must not keep room from being made for the others.
        return lacking.randomElement().map { .noRoom($0, isShort: isShort) }
    }

    private mutating func takeNext(of app: AppID, from memory: ListenMemory, _ lacking: inout [ListenShare]) -> Waiting? {
        var asked = 0
        while asked < min(ListenReadLine.asked, apps[app]?.turns.count ?? 0), let waiter = apps[app]?.turns.popFirst() {
            guard let (number, next) = firstWaiting(of: app, for: waiter) else { continue }
            if let client = next.read.client, !memory.hasRoom(for: next.read, of: app) {
                lacking.append(ListenShare(app, client))
                apps[app]?.turns.append(waiter)
                asked += 1
                continue
            }
            _ = apps[app]?.numbers[waiter]?.popFirst()
            if firstWaiting(of: app, for: waiter) != nil { apps[app]?.turns.append(waiter) }
            waiting[number] = nil
            return next
        }
        return nil
    }

    /// The first of somebody's reads that still waits. Forgets the waiter if there is none.
    private mutating func firstWaiting(of app: AppID, for waiter: Waiter) -> (Int, Waiting)? {
        while let number = apps[app]?.numbers[waiter]?.first {
            if let found = waiting[number] { return (number, found) }
            _ = apps[app]?.numbers[waiter]?.popFirst()
        }
        apps[app]?.numbers[waiter] = nil
        return nil
    }

    /// A read with others of its group, whoever waits for them.
    private mutating func group(_ first: Waiting) -> ListenReadQueue.Group {
        var group = ListenReadQueue.Group(app: first.app, reads: [first.read])
        var left = Fifo<Int>()
        while group.reads.count < ListenReadLine.together, let number = groups[first.hash]?.popFirst() {
            guard let other = waiting[number] else { continue }
            if other.isMade(with: first) {
                group.reads.append(other.read)
                waiting[number] = nil
            } else {
                left.append(number)
            }
        }
        while let number = left.popFirst() { groups[first.hash]?.append(number) }
        while let number = groups[first.hash]?.first, waiting[number] == nil { _ = groups[first.hash]?.popFirst() }
        if groups[first.hash]?.isEmpty == true { groups[first.hash] = nil }
        return group
    }
}
