// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The memory budget of requests from arrival to response: received bytes, decoded bytes, tokens and decoded values.
///
/// An account may hold as much as is free, and a client half as much. Example with 192 MiB: one busy account holds at most 96 MiB, two hold
/// 64 MiB each, so there is always memory for the next account. Requests whose key is unknown form one account.
package final class RequestMemory: Sendable {
    private struct Held {
        var total = 0
        var byClient: [ClientAddress: Int] = [:]
        var byAccount: [Int64: Int] = [:]
    }

    /// Requests of the operator are exempt from shares.
    package static let operatorAccount: Int64 = -1

    package let limit: Int
    private let held = Mutex(Held())

    package init(limit: Int) {
        self.limit = limit
    }

    package var bytes: Int { held.withLock(\.total) }

    /// Reserves bytes without an account, such as tokens of a document being parsed. Returns `false` if they are not available or would
    /// exhaust the budget.
    package func reserve(_ bytes: Int) -> Bool {
        held.withLock { held in
            guard held.total + bytes <= limit - limit / 16 else { return false }
            held.total += bytes
            return true
        }
    }

    package func release(_ bytes: Int) {
        held.withLock { held in
            held.total -= bytes
            assert(held.total >= 0, "memory is released once")
        }
    }

    /// Whether the given number of bytes is available now.
    func hasCapacity(for bytes: Int, of client: ClientAddress?, _ account: Int64) -> Bool {
        let client = client?.subscriber
        return held.withLock { held in
            let ofClient = client.map { held.byClient[$0, default: 0] + bytes } ?? 0
            return isFair(account, held.byAccount[account, default: 0] + bytes, ofClient, free: limit - held.total - bytes)
        }
    }

    fileprivate func take(_ bytes: Int, for client: ClientAddress?, _ account: Int64) -> Bool {
        held.withLock { held in
            let total = held.total + bytes
            let ofClient = client.map { held.byClient[$0, default: 0] + bytes } ?? 0
            let ofAccount = held.byAccount[account, default: 0] + bytes
            guard isFair(account, ofAccount, ofClient, free: limit - total) else { return false }
            held.total = total
            if let client { held.byClient[client] = ofClient }
            held.byAccount[account] = ofAccount
            return true
        }
    }

    private func isFair(_ account: Int64, _ ofAccount: Int, _ ofClient: Int, free: Int) -> Bool {
        if account == RequestMemory.operatorAccount { return free >= 0 }
        // A small amount is granted while any memory is free, however much the tokens of others take.
        let most = max(free, limit / 64)
        return free >= 0 && ofAccount <= most && 2 * ofClient <= most
    }

    fileprivate func give(back bytes: Int, of client: ClientAddress?, _ account: Int64) {
        guard bytes > 0 else { return }
        held.withLock { held in
            held.total -= bytes
            assert(held.total >= 0, "memory is released once")
            if let client { RequestMemory.subtract(bytes, of: client, in: &held.byClient) }
            RequestMemory.subtract(bytes, of: account, in: &held.byAccount)
        }
    }

    /// Moves bytes held before the account was known to it. Returns `false` if the account exceeds its share.
    fileprivate func move(_ bytes: Int, to account: Int64) -> Bool {
        held.withLock { held in
            let ofAccount = held.byAccount[account, default: 0] + bytes
            guard isFair(account, ofAccount, 0, free: limit - held.total) else { return false }
            RequestMemory.subtract(bytes, of: 0, in: &held.byAccount)
            held.byAccount[account] = ofAccount
            return true
        }
    }

    private static func subtract<Key: Hashable>(_ bytes: Int, of key: Key, in table: inout [Key: Int]) {
        let left = table[key, default: 0] - bytes
        assert(left >= 0, "an account or client gives back what it holds")
        table[key] = left > 0 ? left : nil
    }
}

/// A request's part of the request memory, released with the last reference.
package final class MemoryHold: Sendable {
    private struct State {
        var bytes = 0
        var account: Int64 = 0
    }

    private let memory: RequestMemory
    private let client: ClientAddress?
    private let state = Mutex(State())

    package init(_ memory: RequestMemory, for client: ClientAddress?) {
        self.memory = memory
        self.client = client?.subscriber
    }

    deinit {
        state.withLock { memory.give(back: $0.bytes, of: client, $0.account) }
    }

    /// Reserves more memory; throws if none is available, and the request is rejected.
    package func grow(by bytes: Int) throws(HTTPRequestError) {
        guard bytes > 0 else { return }
        let fits = state.withLock { state in
            guard memory.take(bytes, for: client, state.account) else { return false }
            state.bytes += bytes
            return true
        }
        guard fits else { throw .overloaded }
    }

    /// Gives a part back before the end.
    package func shrink(by bytes: Int) {
        state.withLock { state in
            state.bytes -= bytes
            assert(state.bytes >= 0, "a request gives back what it holds")
            memory.give(back: bytes, of: client, state.account)
        }
    }

    /// Assigns the memory to an account; throws if the account exceeds its share, and the request is rejected.
    package func belongs(to account: Int64) throws(HTTPRequestError) {
        let fits = state.withLock { state in
            guard state.account == 0, account != 0 else { return true }
            guard state.bytes == 0 || memory.move(state.bytes, to: account) else { return false }
            state.account = account
            return true
        }
        guard fits else { throw .overloaded }
    }
}
