// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The memory budget of large responses, from the handler until their clients have received them.
///
/// A client with one account may hold a quarter of it. An account, and a client, may hold as much as is free, so there is always memory for
/// others. A response may exceed a limit that was not reached before it. Example with 256 MiB and responses that nobody reads:
///
///     one client with one account     64 MiB, then no more for both
///     many clients with one account   128 MiB, then no more for the account
///
/// While a limit is reached, the connections that count for it are closed if their clients have received nothing for some time.
final class ResponseMemory: Sendable {
    private struct Unsent {
        let owner: ResponseOwner
        let bytes: Int
        let progress: ResponseProgress
        let ticket: Ticket
        let mailbox: Mailbox
    }

    private struct State {
        var unsent: [UInt64: Unsent] = [:]
        var lastID: UInt64 = 0
        var total = 0
        var byAccount: [Int64: Int] = [:]
        var byClient: [ClientAddress: Int] = [:]
        var byOwner: [ResponseOwner: Int] = [:]

        mutating func add(_ bytes: Int, for owner: ResponseOwner) {
            total += bytes
            State.add(bytes, for: owner.account, to: &byAccount)
            guard let client = owner.client else { return }
            State.add(bytes, for: client, to: &byClient)
            State.add(bytes, for: owner, to: &byOwner)
        }

        private static func add<Key: Hashable>(_ bytes: Int, for key: Key, to table: inout [Key: Int]) {
            let sum = table[key, default: 0] + bytes
            table[key] = sum > 0 ? sum : nil
        }

        /// Takes a response out. A second call for it has no effect.
        mutating func remove(_ id: UInt64) -> Unsent? {
            guard let unsent = unsent.removeValue(forKey: id) else { return nil }
            add(-unsent.bytes, for: unsent.owner)
            return unsent
        }
    }

    /// The responses that count for a limit.
    private enum Limit {
        case owner, client, account, all

        func counts(_ response: ResponseOwner, with owner: ResponseOwner) -> Bool {
            switch self {
            case .owner: response == owner
            case .client: response.client == owner.client
            case .account: response.account == owner.account
            case .all: true
            }
        }
    }

    /// Responses up to this size are not counted.
    static let smallBytes = 64 << 10

    private let most: Int
    /// The milliseconds for which a client may receive nothing while a limit is reached.
    private let patience: Int64
    private let state = Mutex(State())

    init(atMost most: Int, patience: Duration) {
        (self.most, self.patience) = (most, patience.milliseconds)
    }

    /// The bytes of large responses that are not sent completely.
    var bytes: Int { state.withLock(\.total) }

    /// Returns whether there is room for a response to a request.
    func hasRoom(for reply: HTTPReply) -> Bool {
        let (hasRoom, slow) = state.withLock { makeRoom(for: reply.owner, in: &$0) }
        close(slow)
        return hasRoom
    }

    /// Counts a response until the hold is released.
    ///
    /// - Parameter mustFit: Whether the response is not counted if there is no room.
    /// - Returns: `nil` if there is no room.
    func hold(_ bytes: Int, of reply: HTTPReply, mustFit: Bool) -> ResponseHold? {
        let progress = ResponseProgress()
        let (id, slow) = state.withLock { state -> (UInt64?, [Unsent]) in
            let (hasRoom, slow) = makeRoom(for: reply.owner, in: &state)
            if mustFit, !hasRoom { return (nil, slow) }
            state.lastID += 1
            state.unsent[state.lastID] = Unsent(
                owner: reply.owner, bytes: bytes, progress: progress, ticket: reply.ticket, mailbox: reply.mailbox)
            state.add(bytes, for: reply.owner)
            return (state.lastID, slow)
        }
        close(slow)
        return id.map { ResponseHold(self, $0, progress) }
    }

    fileprivate func release(_ id: UInt64) {
        state.withLock { state in _ = state.remove(id) }
    }

    private func close(_ slow: [Unsent]) {
        for response in slow { response.mailbox.post(.closeUnsent(response.ticket)) }
    }

    /// Takes out the responses of slow clients, the slowest first, until no limit is reached.
    private func makeRoom(for owner: ResponseOwner, in state: inout State) -> (hasRoom: Bool, slow: [Unsent]) {
        var slow: [Unsent] = []
        while let limit = limit(reachedBy: owner, state) {
            let latest = monotonicMilliseconds() - patience
            let slowest = state.unsent.lazy.filter { $0.value.progress.time <= latest && limit.counts($0.value.owner, with: owner) }
                .min { $0.value.progress.time < $1.value.progress.time }
            guard let slowest, let response = state.remove(slowest.key) else { return (false, slow) }
            slow.append(response)
        }
        return (true, slow)
    }

    /// Returns the limit that allows no further response; nil if there is room. Requests of the operator are exempt.
    private func limit(reachedBy owner: ResponseOwner, _ state: State) -> Limit? {
        if state.total == 0 || owner.account == RequestMemory.operatorAccount { return nil }
        let free = max(0, most - state.total)
        if let client = owner.client {
            if state.byOwner[owner, default: 0] >= most / 4 { return .owner }
            if state.byClient[client, default: 0] > free { return .client }
        }
        if state.byAccount[owner.account, default: 0] > free { return .account }
        return free == 0 ? .all : nil
    }
}

/// The account of a response and the address that counts for it, if one does.
struct ResponseOwner: Sendable, Hashable {
    /// 0 while the key is unknown.
    var account: Int64
    let client: ClientAddress?
}

/// A large response that counts against the response memory until the last reference is released.
final class ResponseHold: Sendable {
    private let memory: ResponseMemory
    private let id: UInt64
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
