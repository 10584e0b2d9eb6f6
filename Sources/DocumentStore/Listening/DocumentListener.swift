// SPDX-License-Identifier: Apache-2.0

package import Listening
package import Platform
package import SignalboxDocumentModel
import Synchronization

/// Sends what a stream has.
package protocol DocumentListenerOwner: AnyObject, Sendable {
    /// Sends what there is now. Called after each wake-up, once at a time.
    func turn() async
}

/// One stream that listens to an app's documents. It is open until it is closed.
package final class DocumentListener: Sendable {
    private struct State {
        /// The hashes of the targets by number.
        var targets: [Int: TargetHash] = [:]
        var isClosed = false
    }

    private struct Pace {
        /// Nil before the first turn and after the last.
        var owner: (any DocumentListenerOwner)?
        var turn = Turn.none
        /// Whether the stream must end, for a failure or because the store stops.
        var mustEnd = false
        var failure: (any Error)?
        var onCut: (@Sendable () -> Void)?
        /// The time of the next turn that `ListenBeats` knows of.
        var beat: ContinuousClock.Instant?
        var isBeatDue = false
    }

    /// Whether a turn is waited for or made; `again` if one must follow it.
    private enum Turn { case none, waiting, made, again }

    package static let targetsAtOnce = 100
    package static let tooManyTargets = Refusal(
        .tooLarge, "A stream has at most \(targetsAtOnce) targets.", hint: "Open another stream.")

    package let app: AppID
    let id: ListenStreamID
    let client: ListenClient
    private unowned let hub: DocumentListening
    private let state = Mutex(State())
    /// Apart from the state, which is locked while the hub adds and removes targets and wakes the stream.
    private let pace = Mutex(Pace())

    init(_ hub: DocumentListening, _ app: AppID, _ id: ListenStreamID, for client: ListenClient) {
        (self.hub, self.app, self.id, self.client) = (hub, app, id, client)
    }

    package var targets: [Int: TargetHash] { state.withLock(\.targets) }
    package var mustEnd: Bool { pace.withLock(\.mustEnd) }
    /// The error that ends the stream.
    package var failure: (any Error)? { pace.withLock(\.failure) }

    package func add(_ target: ListenTarget, as number: Int, from start: ListenStart) throws(Refusal) {
        let hash = TargetHash(target)
        // The hub gets additions and removals in the order in which the numbers are taken and given back.
        let problem = state.withLock { state -> Refusal? in
            if state.isClosed { return Refusal(.notFound, "There is no such stream.", hint: "It has ended.") }
            if state.targets[number] != nil { return .field("target", "exists", "is used by another target of the stream") }
            if state.targets.count >= Self.targetsAtOnce { return Self.tooManyTargets }
            state.targets[number] = hash
            hub.add(target, as: number, to: id, app: app, from: start)
            return nil
        }
        if let problem { throw problem }
    }

    package func remove(_ number: Int) {
        state.withLock { state in
            guard state.targets.removeValue(forKey: number) != nil else { return }
            hub.remove(number, from: id, app: app)
        }
    }

    package struct Taken: Sendable {
        /// The part of the stream that is to be sent now; nil for nothing.
        package var event: ListenEvent?
        /// The targets that rules must allow again before.
        package var doubtful: Set<Int> = []
        /// The targets that must be removed, because their rows take too much memory.
        package var refused: Set<Int> = []
    }

    package func next() -> Taken { hub.take(self) }

    /// Notes what the permission for a target rests on: documents as they were at a stamp, and the rules.
    package func rest(_ target: Int, on documents: Set<DocumentPath>, provedAt stamp: Int64) {
        hub.rest(target, of: id, app: app, on: documents, provedAt: stamp)
    }

    /// Lets rules decide anew about all targets.
    package func doubtAll() { hub.doubtAll(of: id, app: app) }

    /// Notes the bytes of the event that is being sent, and again when the client's connection has taken some of them.
    package func unsent(_ bytes: Int) { hub.memory.set(unsent: bytes, of: self) }

    /// Calls a function, which ends the connection, if the client is too slow while memory is short.
    package func whenCut(_ action: @escaping @Sendable () -> Void) { pace.withLock { $0.onCut = action } }

    func cut() {
        let action = pace.withLock { pace in
            defer { pace.onCut = nil }
            return pace.onCut
        }
        action?()
        end(nil)
    }

    package func close() {
        let isFirst = state.withLock { state in
            if state.isClosed { return false }
            state.isClosed = true
            hub.close(id, app: app)
            return true
        }
        pace.withLock { ($0.owner, $0.onCut) = (nil, nil) }
        if isFirst { hub.memory.release(self) }
    }

    func end(_ error: (any Error)?) {
        pace.withLock { ($0.failure, $0.mustEnd) = ($0.failure ?? error, true) }
        wake()
    }
}

// MARK: - Turns

extension DocumentListener {
    /// Lets the owner have turns from now on, the first one at once.
    package func begin(_ owner: any DocumentListenerOwner) {
        pace.withLock { $0.owner = owner }
        wake()
    }

    /// Asks for a turn of the owner. However often it is asked for meanwhile, there is one.
    package func wake() {
        let isNew = pace.withLock { pace in
            guard pace.owner != nil else { return false }
            switch pace.turn {
            case .none:
                pace.turn = .waiting
                return true
            case .made: pace.turn = .again
            case .waiting, .again: break
            }
            return false
        }
        if isNew { hub.turns.add(self) }
    }

    /// Makes a turn, and queues the next one if it was asked for meanwhile.
    func turn() async {
        let owner = pace.withLock { pace in
            pace.turn = .made
            return pace.owner
        }
        await owner?.turn()
        let isNext = pace.withLock { pace in
            pace.turn = pace.turn == .again && pace.owner != nil ? .waiting : .none
            return pace.turn == .waiting
        }
        if isNext { hub.turns.add(self) }
    }

    /// Asks for a turn after a time, instead of the time of an earlier call.
    package func beat(after time: Duration) {
        let next = ContinuousClock.now + time
        let isNew = pace.withLock { pace in
            defer { pace.beat = next }
            return pace.beat == nil
        }
        if isNew { hub.beats.add(self, at: next) }
    }

    /// Returns whether the time of `beat` has come since the last call.
    package func takeBeat() -> Bool {
        pace.withLock { pace in
            defer { pace.isBeatDue = false }
            return pace.isBeatDue
        }
    }

    /// Asks for a turn if the time has come; returns the time if it is later.
    func wakeIfDue(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let later = pace.withLock { pace -> ContinuousClock.Instant? in
            guard let beat = pace.beat, pace.owner != nil else { return nil }
            if beat > now { return beat }
            (pace.beat, pace.isBeatDue) = (nil, true)
            return nil
        }
        if later == nil { wake() }
        return later
    }
}
