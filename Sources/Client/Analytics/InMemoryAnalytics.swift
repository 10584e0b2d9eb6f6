// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Analytics for an app's tests: keeps all calls in memory and sends nothing.
public final class InMemoryAnalytics: Analytics {
    /// A logged event.
    public struct Event: Sendable, Equatable {
        /// The event's name.
        public var name: String
        /// The event's parameters, merged with the default parameters.
        public var parameters: [String: ParameterValue]
    }

    private struct Recorded {
        var events: [Event] = []
        var userID: String?
        var properties: [String: ParameterValue] = [:]
        var defaults: [String: ParameterValue] = [:]
        var isCollectionEnabled = true
        var installationID = UUID().uuidString.lowercased()
    }

    private let recorded = Locked(Recorded())

    /// Creates an empty recorder with collection enabled.
    public init() {}

    /// The logged events in order.
    public var events: [Event] { recorded.withLock { $0.events } }
    /// The current user ID.
    public var userID: String? { recorded.withLock { $0.userID } }
    /// The current user properties.
    public var properties: [String: ParameterValue] { recorded.withLock { $0.properties } }
    /// Whether collection is enabled.
    public var isCollectionEnabled: Bool { recorded.withLock { $0.isCollectionEnabled } }
    /// A random ID that changes with each `resetData()`; `nil` while collection is disabled.
    public var installationID: String? { recorded.withLock { $0.isCollectionEnabled ? $0.installationID : nil } }
    /// Always `nil`; this type has no sessions.
    public var sessionID: String? { nil }

    /// Appends to `events`.
    public func logEvent(_ name: String, parameters: [String: ParameterValue]) {
        recorded.withLock { recorded in
            guard recorded.isCollectionEnabled else { return }
            recorded.events.append(Event(name: name, parameters: recorded.defaults.merging(parameters) { $1 }))
        }
    }

    /// Sets `userID`, and `properties["email"]` if an address is given.
    public func setUserProperties(userId: String?, email: String?) {
        recorded.withLock { recorded in
            guard recorded.isCollectionEnabled else { return }
            recorded.userID = userId
            if let email { recorded.properties["email"] = .text(email) }
        }
    }

    /// Sets or removes an entry of `properties`.
    public func setUserProperty(_ value: ParameterValue?, forName name: String) {
        recorded.withLock { recorded in
            if recorded.isCollectionEnabled { recorded.properties[name] = value }
        }
    }

    /// Sets the parameters added to later `events`.
    public func setDefaultEventParameters(_ parameters: [String: ParameterValue]) {
        recorded.withLock { recorded in
            if recorded.isCollectionEnabled { recorded.defaults = parameters }
        }
    }

    /// Clears everything, like `LiveAnalytics`.
    public func resetData() {
        recorded.withLock { recorded in
            if recorded.isCollectionEnabled { recorded = Recorded() }
        }
    }

    /// Clears everything when disabling, like `LiveAnalytics`.
    public func setCollectionEnabled(_ isEnabled: Bool) {
        recorded.withLock { recorded in
            if !isEnabled { recorded = Recorded() }
            recorded.isCollectionEnabled = isEnabled
        }
    }

    /// Does nothing.
    public func flush() async throws(SignalboxError) {}
}
