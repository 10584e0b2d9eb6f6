// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The memory that requests hold from their arrival to their answer: bytes of the wire, decoded bytes, tokens and what was made of them.
///
/// An account may hold as much as is free, and a client half as much: one noisy account gets half of the budget, two get a third each, and
/// something is always left for who comes next. Requests whose key is not known yet are one account together.
package final class RequestMemory: Sendable {
    private struct Held {
        var total = 0
        var byClient: [ClientAddress: Int] = [:]
        var byAccount: [Int64: Int] = [:]
    }

    /// The operator's requests wait for nobody's share.
    package static let operatorAccount: Int64 = -1

    package let limit: Int
    private let held = Mutex(Held())

    package init(limit: Int) {
        self.limit = limit
    }

    package var bytes: Int { held.withLock(\.total) }

    /// Takes bytes for nobody in particular, such as the tokens of a document that is being read; false when they are not to be
    /// had, or would be the last.
    package func reserve(_ bytes: Int) -> Bool {
        held.withLock { held in
            guard held.total + bytes <= limit - limit / 16 else { return false }
            held.total += bytes
            return true
        }
    }

    package func release(_ bytes: Int) {
        held.withLock { $0.total -= bytes }
    }

    /// Whether so much could be taken just now.
    func hasRoom(for bytes: Int, of client: ClientAddress?, _ account: Int64) -> Bool {
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
        // A little is had by everybody as long as there is any, however much the tokens of others take.
        let most = max(free, limit / 64)
        return free >= 0 && ofAccount <= most && 2 * ofClient <= most
    }

    fileprivate func give(back bytes: Int, of client: ClientAddress?, _ account: Int64) {
        guard bytes > 0 else { return }
        held.withLock { held in
            held.total -= bytes
            if let client { RequestMemory.subtract(bytes, of: client, in: &held.byClient) }
            RequestMemory.subtract(bytes, of: account, in: &held.byAccount)
        }
    }

    /// Puts on an account what was held before it was known; false where the account holds too much already.
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
        table[key] = left > 0 ? left : nil
    }
}

/// What one request holds of the common memory; given back when nobody uses the request any more.
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

    /// Takes more memory; the request is refused where there is none.
    package func grow(by bytes: Int) throws(HTTPFault) {
        guard bytes > 0 else { return }
        let fits = state.withLock { state in
            guard memory.take(bytes, for: client, state.account) else { return false }
            state.bytes += bytes
            return true
        }
        guard fits else { throw .overloaded }
    }

    /// Says whose memory it is, once that is known; the request is refused where its account holds too much already.
    package func belongs(to account: Int64) throws(HTTPFault) {
        let fits = state.withLock { state in
            guard state.account == 0, account != 0 else { return true }
            guard state.bytes == 0 || memory.move(state.bytes, to: account) else { return false }
            state.account = account
            return true
        }
        guard fits else { throw .overloaded }
    }
}
