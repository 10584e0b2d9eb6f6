// SPDX-License-Identifier: Apache-2.0

package import Listening
package import Platform
package import SignalboxDocumentModel
import Synchronization

/// One stream that listens to an app's documents. It is open until it is deinitialized or ended.
package final class DocumentListener: Sendable {
    private struct State {
        /// The hashes of the targets by number.
        var targets: [Int: TargetHash] = [:]
        var failure: (any Error)?
        var isClosed = false
        var onCut: (@Sendable () -> Void)?
        /// The time of the next wake-up that `ListenBeats` knows of.
        var beat: ContinuousClock.Instant?
    }

    package static let targetsAtOnce = 100
    package static let tooManyTargets = Refusal(
        .tooLarge, "A stream has at most \(targetsAtOnce) targets.", hint: "Open another stream.")

    package let app: AppID
    let id: ListenStreamID
    private unowned let hub: DocumentListening
    private let state = Mutex(State())
    /// Signals that `next` may have something. It ends when the stream must end.
    package let wakeUps: AsyncStream<Void>
    private let waking: AsyncStream<Void>.Continuation

    init(_ hub: DocumentListening, _ app: AppID, _ id: ListenStreamID) {
        (self.hub, self.app, self.id) = (hub, app, id)
        (wakeUps, waking) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package var targets: [Int: TargetHash] { state.withLock(\.targets) }
    /// The error that ended the stream.
    package var failure: (any Error)? { state.withLock(\.failure) }

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

    /// Returns what is to be sent now, nil for nothing, and the targets that rules must allow again before.
    package func next() -> (event: ListenEvent?, doubtful: Set<Int>) {
        let next = hub.take(id, app: app)
        if next.event != nil { hub.memory.take(self) }
        return next
    }

    /// Notes what the permission for a target rests on: documents as they were at a stamp, and the rules.
    package func rest(_ target: Int, on documents: Set<DocumentPath>, provedAt stamp: Int64) {
        hub.rest(target, of: id, app: app, on: documents, provedAt: stamp)
    }

    /// Lets rules decide anew about all targets.
    package func doubtAll() { hub.doubtAll(of: id, app: app) }

    /// Signals `wakeUps` after a time, instead of the time of an earlier call.
    package func beat(after time: Duration) {
        let next = ContinuousClock.now + time
        let isNew = state.withLock { state in
            defer { state.beat = next }
            return state.beat == nil
        }
        if isNew { hub.beats.add(self, at: next) }
    }

    /// Wakes the stream if its time has come; returns the time if it is later.
    func wakeIfDue(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let later = state.withLock { state -> ContinuousClock.Instant? in
            guard let beat = state.beat, !state.isClosed else { return nil }
            if beat > now { return beat }
            state.beat = nil
            return nil
        }
        if later == nil { wake() }
        return later
    }

    /// Notes the bytes of the event that is being sent; 0 when the client's connection has taken them.
    package func unsent(_ bytes: Int) { hub.memory.set(unsent: bytes, of: self) }

    /// Calls a function, which ends the connection, if the client is too slow while memory is short.
    package func whenCut(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onCut = action } }

    func cut() {
        let action = state.withLock { state in
            defer { state.onCut = nil }
            return state.onCut
        }
        action?()
        end(nil)
    }

    package func close() {
        state.withLock { state in
            (state.isClosed, state.onCut) = (true, nil)
            hub.close(id, app: app)
        }
        hub.memory.release(self)
        waking.finish()
    }

    package func wake() { waking.yield() }

    func end(_ error: (any Error)?) {
        state.withLock { $0.failure = $0.failure ?? error }
        waking.finish()
    }
}
