import Foundation

/// Analytics that reach the daemon, whatever happens on the way.
public final class LiveAnalytics: Analytics {
    private struct State {
        var installation: Installation
        var engagement = Engagement()
    }

    private let options: SignalboxOptions
    private let state: Locked<State>
    private let keep: @Sendable () -> Void
    private let follower = Locked<(@Sendable (Installation) -> Void)?>(nil)
    let outbox: Outbox

    init(options: SignalboxOptions) throws(SignalboxError) {
        self.options = options
        let folder = options.chosenFolder
        let lock = try DiskQueue.take(folder)
        let installation = Installation.read(in: folder) ?? Installation(isCollectionEnabled: options.isCollectionEnabled)
        try installation.write(in: folder)
        let state = Locked(State(installation: installation))
        let queue = DiskQueue(
            folder: folder, owner: lock, limits: options.limits, isDurable: options.durability == .immediate,
            envelope: LiveAnalytics.envelope(installation, options))
        let keep = LiveAnalytics.keeping(state, in: folder, written: installation)
        outbox = Outbox(queue: queue, options: options, keep: keep)
        self.state = state
        self.keep = keep
        outbox.begin()
        becameActive()
    }

    // MARK: Telling

    /// Queues it, with the id and the time of now.
    public func logEvent(_ name: String, parameters: [String: ParameterValue]) {
        let now = options.now()
        state.withLock { state in
            guard state.installation.isCollectionEnabled else { return }
            touchSession(&state, now)
            log(name, parameters, now, state)
        }
    }

    /// Names the person of all that is logged from now on, and pairs the installation with them.
    public func setUserProperties(userId: String?, email: String?) {
        let now = options.now()
        state.withLock { state in
            guard state.installation.isCollectionEnabled else { return }
            state.installation.userID = userId
            guard userId != nil || email != nil else { return }
            update(now, state, isPair: userId != nil) { json in
                if let email { ParameterValue.text(email).write(to: &json, as: "email") }
            }
        }
        tellFollower()
    }

    /// Queues it; of two values the one set later counts, in whatever order they arrive.
    public func setUserProperty(_ value: ParameterValue?, forName name: String) {
        let now = options.now()
        state.withLock { state in
            guard state.installation.isCollectionEnabled else { return }
            update(now, state, isPair: false) { json in
                if let value { value.write(to: &json, as: name) } else { json.null(name) }
            }
        }
    }

    /// Remembers it across starts; with false all that waits is deleted before this returns.
    public func setCollectionEnabled(_ isEnabled: Bool) {
        let now = options.now()
        state.withLock { state in
            guard state.installation.isCollectionEnabled != isEnabled else { return }
            state.installation = isEnabled ? state.installation : Installation(isCollectionEnabled: false)
            state.installation.isCollectionEnabled = isEnabled
            if !isEnabled { outbox.removeAll(envelope: LiveAnalytics.envelope(state.installation, options)) }
            if isEnabled { touchSession(&state, now) }
        }
        keep()
        tellFollower()
    }

    /// Sends what waits, and returns when the daemon has it.
    public func flush() async throws(SignalboxError) {
        try await outbox.flush()
    }

    // MARK: Crashes

    /// Queues a report with the fields that all have; the user is the one named, else that of the events.
    func report(userID: String?, _ fields: (inout JSONText) -> Void) {
        let now = options.now()
        state.withLock { state in
            guard state.installation.isCollectionEnabled else { return }
            touchSession(&state, now)
            var json = JSONText(behind: Frame.open(.crash))
            json.object { json in
                json.key("id")
                json.id(milliseconds: now.microseconds / 1_000)
                json.field("timestamp", now.microseconds)
                json.field("user_id", userID ?? state.installation.userID)
                json.field("session_id", state.installation.session?.id)
                fields(&json)
            }
            outbox.add(json.bytes)
        }
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

    // MARK: Coming and going

    func becameActive() {
        let now = options.now()
        state.withLock { state in
            state.engagement.begin(at: now)
            if state.installation.isCollectionEnabled { touchSession(&state, now) }
        }
    }

    func resigned() {
        let now = options.now()
        state.withLock { state in
            guard let milliseconds = state.engagement.end(at: now), state.installation.isCollectionEnabled else { return }
            touchSession(&state, now)
            log("user_engagement", ["engagement_time_msec": .integer(milliseconds)], now, state)
        }
    }

    // MARK: Writing

    private func touchSession(_ state: inout State, _ now: Date) {
        if state.installation.session?.goesOn(at: now, timeout: options.sessionTimeout) == true { return }
        state.installation.session = Session(at: now)
        if !state.installation.hasOpened {
            state.installation.hasOpened = true
            // Once for each installation, whatever is killed before this is remembered.
            log("first_open", [:], now, state, id: state.installation.id)
        }
        log("session_start", [:], now, state)
    }

    private func log(_ name: String, _ parameters: [String: ParameterValue], _ now: Date, _ state: State, id: String? = nil) {
        var json = JSONText(behind: Frame.open(.event))
        json.object { json in
            json.key("id")
            if let id { json.string(id) } else { json.id(milliseconds: now.microseconds / 1_000) }
            json.field("name", name)
            json.field("timestamp", now.microseconds)
            json.field("user_id", state.installation.userID)
            json.field("session_id", state.installation.session?.id)
            guard !parameters.isEmpty else { return }
            json.object("params") { json in
                for (name, value) in parameters { value.write(to: &json, as: name) }
            }
        }
        outbox.add(json.bytes)
    }

    private func update(_ now: Date, _ state: State, isPair: Bool, _ properties: (inout JSONText) -> Void) {
        var json = JSONText(behind: Frame.open(.user))
        json.object { json in
            json.field("installation_id", state.installation.id)
            json.field("user_id", state.installation.userID)
            json.field("timestamp", now.microseconds)
            if isPair { json.field("alias", true) }
            json.object("properties", properties)
        }
        outbox.add(json.bytes)
    }

    private static func envelope(_ installation: Installation, _ options: SignalboxOptions) -> [UInt8] {
        var json = JSONText()
        json.field("installation_id", installation.id)
        options.context.write(to: &json, environment: options.environment.name)
        return json.bytes
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
}
