// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// The memory budget of large responses, from the handler until their clients have received them.
///
/// A client with one account may hold a quarter of it. An account, and a client, may hold as much as is free, so there is always memory for
/// others. A response may exceed a limit that was not reached before it. Example with 256 MiB and responses that nobody reads:
///
///     one client with one account     64 MiB, then no more for both
///     many clients with one account   128 MiB, then no more for the account
///
/// Requests beyond a limit wait for their turn until earlier responses are received. Meanwhile, connections that count for the limit are closed
/// if their clients have received nothing for some time, so only clients that receive slowly make others wait. A request whose client leaves
/// waits no more.
final class ResponseMemory: Sendable {
    private struct Unsent {
        let owner: ResponseOwner
        let bytes: Int
        let progress: ResponseProgress
        let ticket: Ticket
        let mailbox: Mailbox
    }

    private typealias Waiting = CheckedContinuation<ResponseHold?, any Error>

    private struct Waiter {
        let id: UInt64
        let reply: HTTPReply
        let bytes: Int
        /// The time at which it is refused, in milliseconds.
        let deadline: Int64
        let waiting: Waiting
    }

    private struct State {
        var unsent: [UInt64: Unsent] = [:]
        var lastID: UInt64 = 0
        var sums = KeyedSums<ResponseShare>()
        /// Those who wait, in order, and the owners of these lines, who have turns. A line of which all have left is empty until its turn.
        var lines: [ResponseOwner: Fifo<Waiter>] = [:]
        var turns = Fifo<ResponseOwner>()
        var nextCheck: Int64 = 0
        /// How many of the first turns are still to be asked, as a response was taken out.
        var unasked = 0
        var hasEnded = false

        mutating func add(_ bytes: Int, for owner: ResponseOwner) {
            for share in owner.shares { sums.add(bytes, to: share) }
        }

        /// Takes a response out. A second call for it has no effect.
        mutating func remove(_ id: UInt64) -> Unsent? {
            guard let unsent = unsent.removeValue(forKey: id) else { return nil }
            add(-unsent.bytes, for: unsent.owner)
            unasked = turns.count
            return unsent
        }
    }

    /// Responses up to this size are not counted.
    static let smallBytes = 64 << 10
    /// The room that is kept for a response of unknown size after a wait.
    static let unknownBytes = 1 << 20
    /// The time between looks for slow clients, in milliseconds.
    private static let checkInterval: Int64 = 250
    /// The owners without room that are asked in one turn of a loop. The others are asked in the next turns.
    private static let asked = 64

    private let most: Int
    /// The milliseconds for which a client may receive nothing while others wait, and for which a request may wait.
    private let patience, longestWait: Int64
    private let mostWaiting, mostWaitingOfOwner: Int
    private let state = Mutex(State())
    private let waitingCount = Atomic<Int>(0)

    init(_ configuration: HTTPServerConfiguration) {
        most = configuration.caps.responseMemory
        (patience, longestWait) = (configuration.deadlines.unreadResponse.milliseconds, configuration.deadlines.responseTurn.milliseconds)
        (mostWaiting, mostWaitingOfOwner) = (configuration.caps.waitingResponses, configuration.caps.connectionsPerAddress)
    }

    /// The bytes of large responses that are not sent completely.
    var bytes: Int { state.withLock { $0.sums[.all] } }

    /// The requests that wait for room.
    var waiting: Int { waitingCount.load(ordering: .relaxed) }

    /// Returns whether there is room for a response to a request, and no earlier request of the same owner waits for it.
    func hasRoom(for reply: HTTPReply) -> Bool {
        state.withLock { $0.lines[reply.owner]?.isEmpty ?? true && hasRoom(reply.owner, $0) }
    }

    /// Counts a response until the hold is released.
    ///
    /// - Parameters:
    ///   - place: The room that was kept for it, which is given back.
    ///   - mustFit: Whether the response is not counted if there is no room.
    /// - Returns: `nil` if there is no room.
    func hold(_ bytes: Int, of reply: HTTPReply, in place: ResponseHold? = nil, mustFit: Bool) -> ResponseHold? {
        state.withLock { state in
            if let place { _ = state.remove(place.id) }
            return !mustFit || hasRoom(reply.owner, state) ? count(bytes, of: reply, in: &state) : nil
        }
    }

    /// Waits for room and counts a response then.
    ///
    /// - Returns: `nil` if too many wait, or if the wait takes too long. Throws `ClientLeft` if the client leaves meanwhile.
    func turn(of reply: HTTPReply, for bytes: Int) async throws -> ResponseHold? {
        try await withCheckedThrowingContinuation { (waiting: Waiting) in
            let (hold, isOver) = state.withLock { state -> (ResponseHold?, Bool) in
                let ofOwner = state.lines[reply.owner]?.count ?? 0
                if ofOwner == 0, hasRoom(reply.owner, state) { return (count(bytes, of: reply, in: &state), true) }
                if state.hasEnded || longestWait == 0 || self.waiting >= mostWaiting || ofOwner >= mostWaitingOfOwner { return (nil, true) }
                if state.lines[reply.owner] == nil { state.turns.append(reply.owner) }
                state.lastID += 1
                let (id, deadline) = (state.lastID, monotonicMilliseconds() + longestWait)
                let waiter = Waiter(id: id, reply: reply, bytes: bytes, deadline: deadline, waiting: waiting)
                state.lines[reply.owner, default: Fifo()].append(waiter)
                waitingCount.wrappingAdd(1, ordering: .relaxed)
                // A connection that is observed closes when its client only ends sending, so those of others are not. It is observed before the
                // request can go on, which may ask for another observer.
                reply.whenClientLeaves { [self] in leave(id, of: reply.owner) }
                return (nil, false)
            }
            if isOver { waiting.resume(returning: hold) }
        }
    }

    private func leave(_ id: UInt64, of owner: ResponseOwner) {
        let waiting = state.withLock { state -> Waiting? in
            guard let waiter = state.lines[owner]?.removeFirst(where: { $0.id == id }) else { return nil }
            waitingCount.wrappingSubtract(1, ordering: .relaxed)
            // Loops look after the lines while somebody waits.
            if self.waiting == 0 { (state.lines, state.turns) = ([:], Fifo()) }
            return waiter.waiting
        }
        waiting?.resume(throwing: ClientLeft())
    }

    /// Gives room to those who wait, in turn, and refuses those who have waited too long. Every loop calls it in every turn, on its thread.
    func serve(at now: Int64) {
        if waiting == 0 { return }
        let (slow, late, served) = state.withLock { state -> ([Unsent], [Waiting], [(Waiting, ResponseHold)]) in
            var (slow, late): ([Unsent], [Waiting]) = ([], [])
            if now >= state.nextCheck {
                state.nextCheck = now + ResponseMemory.checkInterval
                slow = removeSlow(at: now, from: &state)
                late = removeLate(at: now, from: &state)
                state.unasked = state.turns.count
            }
            return (slow, late, takeTurns(&state))
        }
        for response in slow { response.mailbox.post(.closeUnsent(response.ticket)) }
        for waiting in late { waiting.resume(returning: nil) }
        for (waiting, hold) in served { waiting.resume(returning: hold) }
    }

    /// Refuses all who wait or would wait. No loop turns any more.
    func end() {
        let late = state.withLock { state in
            state.hasEnded = true
            return removeLate(at: .max, from: &state)
        }
        for waiting in late { waiting.resume(returning: nil) }
    }

    fileprivate func release(_ id: UInt64) {
        state.withLock { state in _ = state.remove(id) }
    }

    private func count(_ bytes: Int, of reply: HTTPReply, in state: inout State) -> ResponseHold {
        let progress = ResponseProgress()
        state.lastID += 1
        state.unsent[state.lastID] = Unsent(
            owner: reply.owner, bytes: bytes, progress: progress, ticket: reply.ticket, mailbox: reply.mailbox)
        state.add(bytes, for: reply.owner)
        return ResponseHold(self, state.lastID, progress)
    }

    // MARK: Waiting

    private func takeTurns(_ state: inout State) -> [(Waiting, ResponseHold)] {
        var served: [(Waiting, ResponseHold)] = []
        var asked = 0
        while asked < ResponseMemory.asked, state.unasked > 0, let owner = state.turns.popFirst() {
            state.unasked -= 1
            guard let first = state.lines[owner]?.first else {
                state.lines[owner] = nil
                continue
            }
            if hasRoom(owner, state) {
                served.append((first.waiting, count(first.bytes, of: first.reply, in: &state)))
                removeFirst(of: owner, from: &state)
                if state.lines[owner]?.isEmpty ?? true {
                    state.lines[owner] = nil
                    continue
                }
                // It may have room for another.
                state.turns.append(owner)
                state.unasked = state.turns.count
            } else {
                asked += 1
                state.turns.append(owner)
            }
        }
        return served
    }

    private func removeFirst(of owner: ResponseOwner, from state: inout State) {
        _ = state.lines[owner]?.popFirst()
        waitingCount.wrappingSubtract(1, ordering: .relaxed)
    }

    private func removeLate(at now: Int64, from state: inout State) -> [Waiting] {
        var late: [Waiting] = []
        for owner in Array(state.lines.keys) {
            while let first = state.lines[owner]?.first, first.deadline <= now {
                late.append(first.waiting)
                removeFirst(of: owner, from: &state)
            }
        }
        return late
    }

    /// Takes out the responses of slow clients, the slowest first, until no limit is reached that makes a request wait.
    private func removeSlow(at now: Int64, from state: inout State) -> [Unsent] {
        let short = Set(state.lines.compactMap { owner, line in line.isEmpty ? nil : limit(reachedBy: owner, state) })
        let slow = state.unsent.compactMap { id, unsent -> (id: UInt64, time: Int64)? in
            let time = unsent.progress.time
            return time <= now - patience && unsent.owner.shares.contains(where: short.contains) ? (id, time) : nil
        }
        return slow.sorted { $0.time < $1.time }.compactMap { id, _ in
            guard let owner = state.unsent[id]?.owner else { return nil }
            return owner.shares.contains { short.contains($0) && isReached($0, state) } ? state.remove(id) : nil
        }
    }

    // MARK: Limits

    private func hasRoom(_ owner: ResponseOwner, _ state: State) -> Bool { limit(reachedBy: owner, state) == nil }

    /// Returns the share that allows no further response; nil if there is room. Requests of the operator are exempt.
    private func limit(reachedBy owner: ResponseOwner, _ state: State) -> ResponseShare? {
        if state.sums[.all] == 0 || owner.account == RequestMemory.operatorAccount { return nil }
        return owner.shares.first { isReached($0, state) }
    }

    private func isReached(_ share: ResponseShare, _ state: State) -> Bool {
        let free = max(0, most - state.sums[.all])
        return switch share {
        case .owner: state.sums[share] >= most / 4
        case .client, .account: state.sums[share] > free
        case .all: free == 0
        }
    }
}

/// The account of a response and the address that counts for it, if one does.
struct ResponseOwner: Sendable, Hashable {
    /// 0 while the key is unknown.
    var account: Int64
    let client: ClientAddress?

    /// The shares that its responses are a part of.
    fileprivate var shares: [ResponseShare] {
        guard let client else { return [.account(account), .all] }
        return [.owner(self), .client(client), .account(account), .all]
    }
}

/// The responses that count together for a limit.
private enum ResponseShare: Hashable {
    case owner(ResponseOwner)
    case client(ClientAddress)
    case account(Int64)
    case all
}

/// A large response that counts against the response memory until the last reference is released.
final class ResponseHold: Sendable {
    private let memory: ResponseMemory
    fileprivate let id: UInt64
    private let progress: ResponseProgress

    fileprivate init(_ memory: ResponseMemory, _ id: UInt64, _ progress: ResponseProgress) {
        (self.memory, self.id, self.progress) = (memory, id, progress)
    }

    deinit {
        memory.release(id)
    }

    /// Notes that the loop has begun to send the response, or that the socket has accepted a part of it.
    func progressed(at now: Int64) { progress.set(now) }
}

/// The time of the last progress of a response in milliseconds; the distant future before the loop begins to send it.
private final class ResponseProgress: Sendable {
    private let value = Atomic<Int64>(.max)

    var time: Int64 { value.load(ordering: .relaxed) }

    func set(_ time: Int64) { value.store(time, ordering: .relaxed) }
}
