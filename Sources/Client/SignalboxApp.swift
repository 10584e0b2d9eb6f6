// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#elseif canImport(AppKit)
    import AppKit
#endif

/// The entry point of the client. An app creates one at launch and keeps it for as long as it runs.
///
/// ```swift
/// let signalbox = try SignalboxApp(SignalboxOptions(address: address, key: "sb_ingest_…"))
/// signalbox.analytics.logEvent("level_end", parameters: ["level": 7, "won": true])
/// ```
public final class SignalboxApp: Sendable {
    /// Queue length and the last delivery error.
    public struct Status: Sendable, Equatable {
        /// The number of queued records that the daemon has not confirmed.
        public var pending: Int
        /// The number of records dropped since launch because the queue was full or unreadable.
        public var dropped: Int
        /// The error of the last delivery attempt; `nil` if it succeeded.
        public var lastError: SignalboxError?
    }

    /// Logs events and user properties.
    public let analytics: any Analytics
    /// Records errors and crashes.
    public let crashes: any Crashes
    /// Receives messages from servers.
    public let messaging: any Messaging
    /// Signs users in and keeps their session.
    public let accounts: any Accounts
    /// Calls functions of the app's servers.
    public let functions: any Functions
    /// Keeps files of the app.
    public let files: any Files
    private let live: LiveAnalytics
    private let liveMessaging: LiveMessaging
    let liveAccounts: LiveAccounts
    private let liveFunctions: LiveFunctions
    private let liveFiles: LiveFiles
    private let observers: Locked<[any NSObjectProtocol]>
    let activations = Locked<[@Sendable () -> Void]>([])

    /// Opens the queue, sends records left by an earlier launch, and logs `first_open` and `session_start` when due.
    ///
    /// - Throws: ``SignalboxError/folderInUse(path:)`` if another process or `SignalboxApp` uses the folder,
    ///   ``SignalboxError/folderUnusable(path:reason:)`` if it cannot be created, read or written to.
    public init(_ options: SignalboxOptions) throws(SignalboxError) {
        live = try LiveAnalytics(options: options)
        analytics = live
        crashes = LiveCrashes(analytics: live)
        liveMessaging = LiveMessaging(options: options, analytics: live)
        messaging = liveMessaging
        liveAccounts = LiveAccounts(options: options, analytics: live)
        accounts = liveAccounts
        live.outbox.identify(liveAccounts)
        liveMessaging.follow(liveAccounts)
        liveFunctions = LiveFunctions(options: options, accounts: liveAccounts)
        functions = liveFunctions
        liveFiles = LiveFiles(options: options, accounts: liveAccounts)
        files = liveFiles
        observers = Locked([])
        observe()
    }

    deinit {
        observers.withLock { for observer in $0 { NotificationCenter.default.removeObserver(observer) } }
    }

    /// Marks the app as active and sends queued records. UIKit and AppKit apps need not call this.
    public func didBecomeActive() {
        live.becameActive()
        live.outbox.flushSoon()
        liveMessaging.retryNow()
        liveAccounts.retryNow()
        liveFiles.becameActive()
        for body in activations.withLock({ $0 }) { body() }
    }

    /// Marks the app as inactive, logs `user_engagement`, and sends queued records. UIKit and AppKit apps need not call this.
    public func didResignActive() {
        live.resigned()
        live.outbox.flushSoon()
        liveFiles.resigned()
    }

    #if canImport(UIKit) && !os(watchOS)
        /// Passes the events of transfers that went on while the app did not run. An app calls it in
        /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
        public func handleEventsForBackgroundURLSession(completionHandler: @escaping @Sendable () -> Void) {
            liveFiles.background.handleEvents(completionHandler: completionHandler)
        }
    #endif

    /// Returns queue length and the last delivery error.
    public func status() async -> Status {
        await live.outbox.status()
    }

    /// Writes buffered records to the queue, then stops sending and capturing crashes. Calling it is optional.
    public func close() async {
        await liveMessaging.close()
        liveAccounts.close()
        liveFunctions.close()
        await liveFiles.close()
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
