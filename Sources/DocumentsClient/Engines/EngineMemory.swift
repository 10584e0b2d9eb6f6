// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// The documents of a sync engine, in memory and in a file for the next launch, and the listener that keeps them up to date.
///
/// They are those of the service's user. With another user the listener is ended, and what the file has of that user is there.
final class EngineMemory<Model: SyncedModel>: Sendable {
    private struct State {
        /// The user whose documents are here; nil within for nobody, and nil before the file was read.
        var user: String??
        var seen: SeenDocuments<Model>?
        var listening: Task<Void, Never>?
        /// The number of the listener. Results of earlier ones are ignored.
        var number = 0
    }

    private let service: any RemoteService
    private let key: String?
    private let logger: SyncLogger?
    private let state = Locked(State())
    /// Held while a file is written, so that the newest state stays.
    private let writing = Locked(())

    /// - Parameter key: The name of the file; nil keeps none.
    init(_ service: any RemoteService, key: String?, _ logger: SyncLogger?) {
        (self.service, self.key, self.logger) = (service, key, logger)
    }

    deinit {
        state.withLock { $0.listening }?.cancel()
    }

    var seen: SeenDocuments<Model>? { current { $0.seen } }
    var isFollowing: Bool { current { $0.listening != nil } }

    /// Reads or changes the state of the service's user.
    private func current<T>(_ body: (inout State) -> T) -> T {
        let user = service.user
        if state.withLock({ $0.user != .some(user) }) {
            // The file is read without the lock, so another reader may have been faster.
            let seen = file(of: user).load()
            let earlier = state.withLock { state -> Task<Void, Never>? in
                if state.user == .some(user) { return nil }
                defer { state = State(user: user, seen: seen, number: state.number + 1) }
                return state.listening
            }
            earlier?.cancel()
        }
        return state.withLock(body)
    }

    private func file(of user: String?) -> EngineFile<Model> { EngineFile(key: key, user: user, in: service.localFolder) }

    /// Follows a stream until ``stop()``, and returns after its first element.
    ///
    /// - Parameters:
    ///   - begin: Changes the state before the first element.
    ///   - seen: The state after an element.
    func follow<Element: Sendable>(
        _ stream: AsyncThrowingStream<Element, any Error>, begin: (SeenDocuments<Model>?) -> SeenDocuments<Model>? = { $0 },
        _ seen: @escaping @Sendable (Element) -> SeenDocuments<Model>
    ) async throws {
        let first = FirstResult()
        let earlier = current { state in
            let earlier = state.listening
            state.number += 1
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

    /// Ends the listener and forgets the documents.
    func stop() {
        let listening = current { state in
            defer { (state.listening, state.seen, state.number) = (nil, nil, state.number + 1) }
            return state.listening
        }
        listening?.cancel()
        save()
    }

    private func keep(_ seen: SeenDocuments<Model>, _ number: Int) {
        let isCurrent = current { state in
            guard state.number == number else { return false }
            state.seen = seen
            return true
        }
        if isCurrent { save() }
    }

    private func ended(_ number: Int) {
        state.withLock { if $0.number == number { $0.listening = nil } }
    }

    private func save() {
        writing.withLock { _ in
            let (user, seen) = state.withLock { ($0.user, $0.seen) }
            if let user { file(of: user).save(seen) }
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
