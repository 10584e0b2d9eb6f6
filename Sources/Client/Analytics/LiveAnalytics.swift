// SPDX-License-Identifier: Apache-2.0

import CSignalbox
import Foundation

/// Analytics that queue records on disk and send them to the daemon.
public final class LiveAnalytics: Analytics {
    struct State {
        var installation: Installation
        var engagement = Engagement()
        var notes = CrashNotes()
    }

    let options: SignalboxOptions
    let state: Locked<State>
    private let persist: @Sendable () -> Void
    private let installationObserver = Locked<(@Sendable (Installation) -> Void)?>(nil)
    let outbox: Outbox
    let capture: CrashCapture
    /// Whether the previous launch crashed.
    let hadCrash: Bool

    init(options: SignalboxOptions) throws(SignalboxError) {
        self.options = options
        let folder = options.chosenFolder
        let lock = try DiskQueue.lock(folder)
        let installation = try Installation.read(in: folder) ?? Installation(isCollectionEnabled: options.isCollectionEnabled)
        try installation.write(in: folder)
        let state = Locked(State(installation: installation))
        let queue = DiskQueue(
            folder: folder, owner: lock, limits: options.limits, isDurable: options.durability == .immediate,
            envelope: installation.envelope(options))
        let persist = LiveAnalytics.persisting(state, in: folder, written: installation)
        outbox = Outbox(queue: queue, options: options, persist: persist)
        capture = CrashCapture(folder: folder, isWanted: options.capturesCrashes)
        hadCrash = installation.isCollectionEnabled && capture.enqueuePreviousReport(in: outbox)
        self.state = state
        self.persist = persist
        if installation.isCollectionEnabled { state.withLock { startCapture($0) } } else { capture.deletePreviousReport() }
        outbox.start()
        becameActive()
    }

    // MARK: Logging

    /// Queues an event with a new ID and the current time.
    public func logEvent(_ name: String, parameters: [String: ParameterValue]) {
        capture.installSecondStack()
        let now = options.now()
        state.withLock { state in
            guard state.installation.isCollectionEnabled else { return }
            touchSession(&state, now)
            outbox.add(state.installation.event(name, parameters, at: now))
        }
    }

    /// Sets the user ID of later records and links the installation to the user.
    public func setUserProperties(userId: String?, email: String?) {
        let now = options.now()
        state.withLock { state in
            guard state.installation.isCollectionEnabled else { return }
            state.installation.userID = userId
            capture.note(CSIGNALBOX_USER, userId)
            guard userId != nil || email != nil else { return }
            let record = state.installation.userProperties(at: now, isAlias: userId != nil) { json in
                if let email { ParameterValue.text(email).write(to: &json, as: "email") }
            }
            outbox.add(record)
        }
        notifyInstallationObserver()
    }

    /// Queues a property change. The later of two values wins, in whatever order they arrive.
    public func setUserProperty(_ value: ParameterValue?, forName name: String) {
        let now = options.now()
        state.withLock { state in
            guard state.installation.isCollectionEnabled else { return }
            let record = state.installation.userProperties(at: now) { json in
                if let value { value.write(to: &json, as: name) } else { json.null(name) }
            }
            outbox.add(record)
        }
    }

    /// Stores the parameters for later launches. Events logged by the client itself carry them too.
    public func setDefaultEventParameters(_ parameters: [String: ParameterValue]) {
        // NaN cannot be encoded as JSON and would make the whole installation file unwritable.
        let defaults = parameters.compactMapValues(\.jsonCompatible)
        state.withLock { state in
            if state.installation.isCollectionEnabled { state.installation.defaults = defaults }
        }
        persist()
    }

    /// Stores the choice for later launches. Disabling deletes queued records before it returns.
    public func setCollectionEnabled(_ isEnabled: Bool) {
        let now = options.now()
        state.withLock { state in
            guard state.installation.isCollectionEnabled != isEnabled else { return }
            if isEnabled {
                state.installation.isCollectionEnabled = true
                startCapture(state)
                touchSession(&state, now)
            } else {
                clear(&state)
                state.installation.isCollectionEnabled = false
            }
        }
        persist()
        notifyInstallationObserver()
    }

    /// Deletes queued records before it returns. Data already stored by the daemon is not deleted.
    public func resetData() {
        state.withLock { state in
            guard state.installation.isCollectionEnabled else { return }
            clear(&state)
            startCapture(state)
        }
        persist()
        notifyInstallationObserver()
    }

    private func clear(_ state: inout State) {
        capture.clear()
        state.notes = CrashNotes()
        state.installation = Installation(isCollectionEnabled: state.installation.isCollectionEnabled)
        outbox.removeAll(envelope: state.installation.envelope(options))
    }

    /// Sends queued records and returns when the daemon has stored them.
    public func flush() async throws(SignalboxError) {
        try await outbox.flush()
    }

    // MARK: State

    /// Whether collection is enabled, as last set in this or an earlier launch.
    public var isCollectionEnabled: Bool { state.withLock { $0.installation.isCollectionEnabled } }

    /// Stays the same across launches until the data is reset or collection is disabled.
    public var installationID: String? {
        state.withLock { $0.installation.isCollectionEnabled ? $0.installation.id : nil }
    }

    // MARK: Installation changes

    /// Returns the current installation without retaining this object or its folder.
    var installation: @Sendable () -> Installation {
        { [state] in state.withLock { $0.installation } }
    }

    /// Sets the closure called when user, installation or consent may have changed.
    func onInstallationChange(_ observer: @escaping @Sendable (Installation) -> Void) {
        installationObserver.withLock { $0 = observer }
    }

    private func notifyInstallationObserver() {
        let observer = installationObserver.withLock { $0 }
        observer?(installation())
    }

    // MARK: Persistence

    /// Returns a closure that writes the installation file if it changed, outside the state lock. A failed write is retried with the next change.
    private static func persisting(_ state: Locked<State>, in folder: URL, written: Installation) -> @Sendable () -> Void {
        let written = Locked(written)
        return {
            written.withLock { written in
                let installation = state.withLock { $0.installation }
                guard installation != written, (try? installation.write(in: folder)) != nil else { return }
                written = installation
            }
        }
    }

    /// Writes buffered records, then stops sending and capturing crashes.
    func close() async {
        capture.stop()
        await outbox.close()
    }
}
