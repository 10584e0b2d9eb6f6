// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Analytics for an app's own tests: what was told, and nobody hears it.
public final class InMemoryAnalytics: Analytics {
    /// An event as it was logged.
    public struct Event: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// What was said about it.
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

    /// Nothing was told yet.
    public init() {}

    /// The events, in their order.
    public var events: [Event] { told.withLock { $0.events } }
    /// The person.
    public var userID: String? { told.withLock { $0.userID } }
    /// What is true of the person.
    public var properties: [String: ParameterValue] { told.withLock { $0.properties } }
    /// What `setCollectionEnabled` said last.
    public var isCollectionEnabled: Bool { told.withLock { $0.isCollectionEnabled } }
    /// Another one after each `resetData()`; nil without consent.
    public var installationID: String? { told.withLock { $0.isCollectionEnabled ? $0.installationID : nil } }
    /// There are no sessions here.
    public var sessionID: String? { nil }

    /// Keeps it in `events`.
    public func logEvent(_ name: String, parameters: [String: ParameterValue]) {
        told.withLock { told in
            guard told.isCollectionEnabled else { return }
            told.events.append(Event(name: name, parameters: told.defaults.merging(parameters) { $1 }))
        }
    }

    /// Keeps the person in `userID` and the address in `properties`.
    public func setUserProperties(userId: String?, email: String?) {
        told.withLock { told in
            guard told.isCollectionEnabled else { return }
            told.userID = userId
            if let email { told.properties["email"] = .text(email) }
        }
    }

    /// Keeps it in `properties`.
    public func setUserProperty(_ value: ParameterValue?, forName name: String) {
        told.withLock { told in
            if told.isCollectionEnabled { told.properties[name] = value }
        }
    }

    /// Adds them to `events` that come.
    public func setDefaultEventParameters(_ parameters: [String: ParameterValue]) {
        told.withLock { told in
            if told.isCollectionEnabled { told.defaults = parameters }
        }
    }

    /// Forgets everything, as the live one does.
    public func resetData() {
        told.withLock { told in
            if told.isCollectionEnabled { told = Told() }
        }
    }

    /// Forgets everything with false, as the live one does.
    public func setCollectionEnabled(_ isEnabled: Bool) {
        told.withLock { told in
            if !isEnabled { told = Told() }
            told.isCollectionEnabled = isEnabled
        }
    }

    /// Has nothing to do.
    public func flush() async throws(SignalboxError) {}
}
