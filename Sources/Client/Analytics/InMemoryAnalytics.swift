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

    private struct Told {
        var events: [Event] = []
        var userID: String?
        var properties: [String: ParameterValue] = [:]
        var defaults: [String: ParameterValue] = [:]
        var isCollectionEnabled = true
        var installationID = UUID().uuidString.lowercased()
    }

    private let told = Locked(Told())

    /// Creates an empty recorder with collection enabled.
    public init() {}

    /// The logged events in order.
    public var events: [Event] { told.withLock { $0.events } }
    /// The current user ID.
    public var userID: String? { told.withLock { $0.userID } }
    /// The current user properties.
    public var properties: [String: ParameterValue] { told.withLock { $0.properties } }
    /// Whether collection is enabled.
    public var isCollectionEnabled: Bool { told.withLock { $0.isCollectionEnabled } }
    /// A random ID that changes with each `resetData()`; `nil` while collection is disabled.
    public var installationID: String? { told.withLock { $0.isCollectionEnabled ? $0.installationID : nil } }
    /// Always `nil`; this type has no sessions.
    public var sessionID: String? { nil }

    /// Appends to `events`.
    public func logEvent(_ name: String, parameters: [String: ParameterValue]) {
        told.withLock { told in
            guard told.isCollectionEnabled else { return }
            told.events.append(Event(name: name, parameters: told.defaults.merging(parameters) { $1 }))
        }
    }

    /// Sets `userID`, and `properties["email"]` if an address is given.
    public func setUserProperties(userId: String?, email: String?) {
        told.withLock { told in
            guard told.isCollectionEnabled else { return }
            told.userID = userId
            if let email { told.properties["email"] = .text(email) }
        }
    }

    /// Sets or removes an entry of `properties`.
    public func setUserProperty(_ value: ParameterValue?, forName name: String) {
        told.withLock { told in
            if told.isCollectionEnabled { told.properties[name] = value }
        }
    }

    /// Sets the parameters added to later `events`.
    public func setDefaultEventParameters(_ parameters: [String: ParameterValue]) {
        told.withLock { told in
            if told.isCollectionEnabled { told.defaults = parameters }
        }
    }

    /// Clears everything, like `LiveAnalytics`.
    public func resetData() {
        told.withLock { told in
            if told.isCollectionEnabled { told = Told() }
        }
    }

    /// Clears everything when disabling, like `LiveAnalytics`.
    public func setCollectionEnabled(_ isEnabled: Bool) {
        told.withLock { told in
            if !isEnabled { told = Told() }
            told.isCollectionEnabled = isEnabled
        }
    }

    /// Does nothing.
    public func flush() async throws(SignalboxError) {}
}
