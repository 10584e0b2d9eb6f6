// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#elseif canImport(AppKit)
    import AppKit
#endif

/// An app's connection to its Signalbox: made once, at the start, and kept for as long as the app runs.
///
/// ```swift
/// let signalbox = try SignalboxApp(SignalboxOptions(address: address, key: "sb_ingest_…"))
/// signalbox.analytics.logEvent("level_end", parameters: ["level": 7, "won": true])
/// ```
public final class SignalboxApp: Sendable {
    /// What waits and what was lost.
    public struct Status: Sendable, Equatable {
        /// Records that are not with the daemon yet.
        public var waiting: Int
        /// Records that had to go since the start because there was no room on the disk.
        public var lost: Int
        /// Why the last attempt to send did not work; nil where it did.
        public var trouble: SignalboxError?
    }

    /// What people do in the app.
    public let analytics: any Analytics
    /// What goes wrong in it.
    public let crashes: any Crashes
    /// What comes to it from servers.
    public let messaging: any Messaging
    private let live: LiveAnalytics
    private let liveMessaging: LiveMessaging
    private let observers: Locked<[any NSObjectProtocol]>

    /// Opens the queue, sends what an earlier start left, and logs `first_open` and `session_start` where they are due.
    public init(_ options: SignalboxOptions) throws(SignalboxError) {
        live = try LiveAnalytics(options: options)
        analytics = live
        crashes = LiveCrashes(analytics: live)
        liveMessaging = LiveMessaging(options: options, analytics: live)
        messaging = liveMessaging
        observers = Locked([])
        observe()
    }

    deinit {
        observers.withLock { for observer in $0 { NotificationCenter.default.removeObserver(observer) } }
    }

    /// The app is in front again. UIKit and AppKit say so by themselves; others call this.
    public func didBecomeActive() {
        live.becameActive()
        live.outbox.hurry()
        liveMessaging.hope()
    }

    /// The app is no longer in front: tells for how long it was, and sends what waits.
    public func didResignActive() {
        live.resigned()
        live.outbox.hurry()
    }

    /// How things are.
    public func status() async -> Status {
        await live.outbox.status()
    }

    /// Puts everything on the disk, sends nothing more, and no longer sees crashes. An app need not call this.
    public func close() async {
        await liveMessaging.close()
        await live.close()
    }

    private func observe() {
        #if canImport(UIKit) && !os(watchOS)
            observe(UIApplication.didBecomeActiveNotification) { $0.didBecomeActive() }
            observe(UIApplication.didEnterBackgroundNotification) { $0.didResignActive() }
        #elseif canImport(AppKit)
            observe(NSApplication.didBecomeActiveNotification) { $0.didBecomeActive() }
            observe(NSApplication.didResignActiveNotification) { $0.didResignActive() }
        #endif
    }

    private func observe(_ name: Notification.Name, _ react: @escaping @Sendable (SignalboxApp) -> Void) {
        let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
            if let self { react(self) }
        }
        observers.withLock { $0.append(observer) }
    }
}
