// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// The documents of a sync engine, in memory and in a file for the next launch, and the listener that keeps them up to date.
///
/// They are those of the service's user. With another user the listener is ended, and what the file has of that user is there. A removal of
/// the user's local data ends the listener as well.
final class EngineMemory<Model: SyncedModel>: Sendable {
    private struct Owner: Equatable {
        let user: String?
        /// The removals of the user's local data before.
        let removals: Int
    }

    private struct State {
        /// The owner of the documents here; nil before the file was read.
        var owner: Owner?
        var seen: SeenDocuments<Model>?
        var listening: Task<Void, Never>?
        /// Whether `seen` is a result of the listener, and not of an earlier one.
        var isCurrent = false
        /// Whether the listener follows all documents, and not the result of a query.
        var followsAll = false
        /// The number of the listener. Results of earlier ones are ignored.
        var number = 0
    }

    private let service: any RemoteService
    private let key: String?
    private let logger: SyncLogger?
    private let state = Locked(State())
    /// Held while the state is changed and written to the file of its user, so that the file has the newest state. Taken before `state`.
    private let writing = Locked(())

    /// - Parameter key: The name of the file; nil keeps none.
    init(_ service: any RemoteService, key: String?, _ logger: SyncLogger?) {
        (self.service, self.key, self.logger) = (service, key, logger)
    }

    deinit {
        state.withLock { $0.listening }?.cancel()
    }

    var seen: SeenDocuments<Model>? { current { $0.seen } }
    /// The documents while they are up to date; nil without a listener and before its first result.
    var followed: [Model]? { current { $0.listening != nil && $0.isCurrent ? $0.seen?.models : nil } }
    /// The documents while they are up to date and all that there are.
    var all: [Model]? { current { $0.listening != nil && $0.isCurrent && $0.followsAll ? $0.seen?.models : nil } }

    /// Reads or changes the state of the service's user.
    private func current<T>(_ body: (inout State) -> T) -> T {
        var owner = currentOwner()
        while state.withLock({ $0.owner != owner }) {
            // The file is read without the lock of the state, so the user may have changed, or another reader may have been faster. A removal
            // under way has been counted, and has ended before the file is read.
            let file = file(of: owner.user)
            let seen = EngineFiles.access.withLock { _ in file.load() }
            let newest = currentOwner()
            if newest == owner { adopt(owner, seen) } else { owner = newest }
        }
        return state.withLock(body)
    }

    private func adopt(_ owner: Owner, _ seen: SeenDocuments<Model>?) {
        let earlier = state.withLock { state -> Task<Void, Never>? in
            if state.owner == owner { return nil }
            defer { state = State(owner: owner, seen: seen, number: state.number + 1) }
            return state.listening
        }
        earlier?.cancel()
    }

    private func currentOwner() -> Owner {
        let user = service.user
        return Owner(user: user, removals: service.localDataRemovals(of: user))
    }

    private func file(of user: String?) -> EngineFile<Model> { EngineFile(key: key, user: user, in: service.localFolder) }

    /// Follows a stream until ``stop(forgets:)``, and returns after its first element.
    ///
    /// - Parameters:
    ///   - isAll: Whether an element has all documents, and not the result of a query.
    ///   - begin: Changes the state before the first element.
    ///   - seen: The state after an element.
    func follow<Element: Sendable>(
        _ stream: AsyncThrowingStream<Element, any Error>, isAll: Bool = false,
        begin: (SeenDocuments<Model>?) -> SeenDocuments<Model>? = { $0 }, _ seen: @escaping @Sendable (Element) -> SeenDocuments<Model>
    ) async throws {
        let first = FirstResult()
        let earlier = current { state in
            let earlier = state.listening
            state.number += 1
            (state.isCurrent, state.followsAll) = (false, isAll)
            state.seen = begin(state.seen)
            state.listening = Task { [weak self, number = state.number] in
                do {
                    for try await element in stream {
                        self?.keep(seen(element), number)
                        first.resolve(nil)
                    }
                    self?.ended(number)
                    first.resolve(nil)
                } catch {
                    self?.logger?("a listener ended: \(error)")
                    self?.ended(number)
                    first.resolve(error)
                }
            }
            return earlier
        }
        earlier?.cancel()
        try await first.wait()
    }

    /// Ends the listener.
    ///
    /// - Parameter forgets: Whether the documents are forgotten, too.
    func stop(forgets: Bool) {
        let listening = writing.withLock { _ in
            let (listening, owner) = current { state in
                defer {
                    (state.listening, state.number) = (nil, state.number + 1)
                    if forgets { state.seen = nil }
                }
                return (state.listening, state.owner)
            }
            if forgets { save(nil, owner) }
            return listening
        }
        listening?.cancel()
    }

    private func keep(_ seen: SeenDocuments<Model>, _ number: Int) {
        writing.withLock { _ in
            let owner = current { state -> Owner? in
                guard state.number == number else { return nil }
                (state.seen, state.isCurrent) = (seen, true)
                return state.owner
            }
            save(seen, owner)
        }
    }

    private func ended(_ number: Int) {
        state.withLock { if $0.number == number { $0.listening = nil } }
    }

    /// Writes the file of an owner, unless the owner's local data was removed meanwhile.
    private func save(_ seen: SeenDocuments<Model>?, _ owner: Owner?) {
        guard let owner else { return }
        let file = file(of: owner.user)
        EngineFiles.access.withLock { _ in
            if service.localDataRemovals(of: owner.user) == owner.removals { file.save(seen) }
        }
    }
}

/// The end of a listener's beginning: its first result, or an error.
final class FirstResult: Sendable {
    private let outcome = WriteOutcome()
    private let failure = Locked<(any Error)?>(nil)

    func resolve(_ error: (any Error)?) {
        failure.withLock { $0 = $0 ?? error }
        outcome.resolve(.success(()))
    }

    func wait() async throws {
        try await outcome.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
