// SPDX-License-Identifier: Apache-2.0

import CSignalbox
import Foundation

/// Analytics that reach the daemon, whatever happens on the way.
public final class LiveAnalytics: Analytics {
    struct State {
        var installation: Installation
        var engagement = Engagement()
        var notes = CrashNotes()
    }

    let options: SignalboxOptions
    let state: Locked<State>
    private let keep: @Sendable () -> Void
    private let follower = Locked<(@Sendable (Installation) -> Void)?>(nil)
    let outbox: Outbox
    let capture: CrashCapture
    /// Whether the start before this one crashed.
    let hadCrash: Bool

    init(options: SignalboxOptions) throws(SignalboxError) {
        self.options = options
        let folder = options.chosenFolder
        let lock = try DiskQueue.take(folder)
        let installation = Installation.read(in: folder) ?? Installation(isCollectionEnabled: options.isCollectionEnabled)
        try installation.write(in: folder)
        let state = Locked(State(installation: installation))
        let queue = DiskQueue(
            folder: folder, owner: lock, limits: options.limits, isDurable: options.durability == .immediate,
            envelope: installation.envelope(options))
        let keep = LiveAnalytics.keeping(state, in: folder, written: installation)
        outbox = Outbox(queue: queue, options: options, keep: keep)
        capture = CrashCapture(folder: folder, isWanted: options.capturesCrashes)
        hadCrash = installation.isCollectionEnabled && capture.takeOver(to: outbox)
        self.state = state
        self.keep = keep
        if installation.isCollectionEnabled { state.withLock { startCapture($0) } } else { capture.deleteLeft() }
        outbox.begin()
        becameActive()
    }

    // MARK: Telling

    /// Queues it, with the id and the time of now.
    public func logEvent(_ name: String, parameters: [String: ParameterValue]) {
        capture.cover()
        let now = options.now()
        state.withLock { state in
            guard state.installation.isCollectionEnabled else { return }
            touchSession(&state, now)
            outbox.add(state.installation.event(name, parameters, at: now))
        }
    }

    /// Names the person of all that is logged from now on, and pairs the installation with them.
    public func setUserProperties(userId: String?, email: String?) {
        let now = options.now()
        state.withLock { state in
            guard state.installation.isCollectionEnabled else { return }
            state.installation.userID = userId
            capture.note(CSIGNALBOX_USER, userId)
            guard userId != nil || email != nil else { return }
            let record = state.installation.person(at: now, isPair: userId != nil) { json in
                if let email { ParameterValue.text(email).write(to: &json, as: "email") }
            }
            outbox.add(record)
        }
        tellFollower()
    }

    /// Queues it; of two values the one set later counts, in whatever order they arrive.
    public func setUserProperty(_ value: ParameterValue?, forName name: String) {
        let now = options.now()
        state.withLock { state in
            guard state.installation.isCollectionEnabled else { return }
            let record = state.installation.person(at: now) { json in
                if let value { value.write(to: &json, as: name) } else { json.null(name) }
            }
            outbox.add(record)
        }
    }

    /// Remembers them across starts; what the client logs by itself has them too.
    public func setDefaultEventParameters(_ parameters: [String: ParameterValue]) {
        // They are kept as JSON beside all else that is remembered, which a number that is none would take with it.
        let defaults = parameters.compactMapValues(\.sayable)
        state.withLock { state in
            if state.installation.isCollectionEnabled { state.installation.defaults = defaults }
        }
        keep()
    }

    /// Remembers it across starts; with false all that waits is deleted before this returns.
    public func setCollectionEnabled(_ isEnabled: Bool) {
        let now = options.now()
        state.withLock { state in
            guard state.installation.isCollectionEnabled != isEnabled else { return }
            if isEnabled {
                state.installation.isCollectionEnabled = true
                startCapture(state)
                touchSession(&state, now)
            } else {
                forget(&state)
                state.installation.isCollectionEnabled = false
            }
        }
        keep()
        tellFollower()
    }

    /// Deletes what waits before it returns; what the daemon has stays there.
    public func resetData() {
        state.withLock { state in
            guard state.installation.isCollectionEnabled else { return }
            forget(&state)
            startCapture(state)
        }
        keep()
        tellFollower()
    }

    private func forget(_ state: inout State) {
        capture.forget()
        state.notes = CrashNotes()
        state.installation = Installation(isCollectionEnabled: state.installation.isCollectionEnabled)
        outbox.removeAll(envelope: state.installation.envelope(options))
    }

    /// Sends what waits, and returns when the daemon has it.
    public func flush() async throws(SignalboxError) {
        try await outbox.flush()
    }

    // MARK: Asking

    /// What `setCollectionEnabled` said last, in this start or an earlier one.
    public var isCollectionEnabled: Bool { state.withLock { $0.installation.isCollectionEnabled } }

    /// Stays the same over starts, until the data is reset or consent is taken back.
    public var installationID: String? {
        state.withLock { $0.installation.isCollectionEnabled ? $0.installation.id : nil }
    }

    // MARK: Who it is

    /// Tells who it is, and keeps neither this nor its folder.
    var installation: @Sendable () -> Installation {
        { [state] in state.withLock { $0.installation } }
    }

    /// Calls it whenever there may be another user, another installation or another consent.
    func whenInstallationChanges(_ follow: @escaping @Sendable (Installation) -> Void) {
        follower.withLock { $0 = follow }
    }

    private func tellFollower() {
        let follow = follower.withLock { $0 }
        follow?(installation())
    }

    // MARK: Keeping

    /// Writes what has changed, and holds up nobody who logs meanwhile. What cannot be written now is written with the next change.
    private static func keeping(_ state: Locked<State>, in folder: URL, written: Installation) -> @Sendable () -> Void {
        let written = Locked(written)
        return {
            written.withLock { written in
                let installation = state.withLock { $0.installation }
                guard installation != written, (try? installation.write(in: folder)) != nil else { return }
                written = installation
            }
        }
    }

    /// Puts everything on the disk, sends nothing more, and leaves crashes to others.
    func close() async {
        capture.stop()
        await outbox.close()
    }
}
