// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Logs events and user properties. `LiveAnalytics` sends them to the daemon; `InMemoryAnalytics` keeps them for tests.
///
/// Calls may come from any thread. None waits for the network except `flush()`.
public protocol Analytics: Sendable {
    /// Logs an event.
    ///
    /// - Parameters:
    ///   - name: A letter, then letters, digits and underscores, at most 40, as in Firebase.
    ///   - parameters: At most 25 parameters; their names follow the same rule.
    func logEvent(_ name: String, parameters: [String: ParameterValue])

    /// Sets the user ID, and the email address if there is one; a `nil` user ID signs out.
    func setUserProperties(userId: String?, email: String?)

    /// Sets a user property; `nil` removes it.
    func setUserProperty(_ value: ParameterValue?, forName name: String)

    /// Sets parameters that are added to every event, in later launches too. An event's own parameters win. An empty dictionary removes them.
    func setDefaultEventParameters(_ parameters: [String: ParameterValue])

    /// Enables or disables collection. Disabling deletes queued records, the installation ID and the user ID.
    func setCollectionEnabled(_ isEnabled: Bool)

    /// Whether collection is enabled.
    var isCollectionEnabled: Bool { get }

    /// Deletes queued records, user ID and default parameters, and creates a new installation ID.
    func resetData()

    /// The random ID of this installation; `nil` while collection is disabled. Data of anonymous users is found and erased by it.
    var installationID: String? { get }

    /// The ID of the current session; `nil` if none is active.
    var sessionID: String? { get }

    /// Sends queued records and returns when the daemon has stored them.
    func flush() async throws(SignalboxError)
}

extension Analytics {
    /// Logs an event without parameters.
    public func logEvent(_ name: String) {
        logEvent(name, parameters: [:])
    }

    /// Sets the user ID; `nil` signs out.
    public func setUserID(_ id: String?) {
        setUserProperties(userId: id, email: nil)
    }

    /// Logs a `screen_view` event.
    public func logScreenView(screenName: String, screenClass: String? = nil) {
        var parameters: [String: ParameterValue] = ["screen_name": .text(screenName)]
        if let screenClass { parameters["screen_class"] = .text(screenClass) }
        logEvent("screen_view", parameters: parameters)
    }

    /// Logs a `purchase` event.
    ///
    /// - Parameters:
    ///   - amount: The total. `Decimal(string: "19.99")` is exact; a literal is converted through `Double`.
    ///   - currency: An ISO 4217 code, such as `EUR`.
    ///   - items: The purchased items.
    ///   - transactionID: The shop's order ID. A repeated ID is not counted again.
    public func logPurchase(amount: Decimal, currency: String, items: [Item] = [], transactionID: String? = nil) {
        var parameters: [String: ParameterValue] = ["value": .decimal(amount), "currency": .text(currency)]
        if !items.isEmpty { parameters["items"] = .items(items) }
        if let transactionID { parameters["transaction_id"] = .text(transactionID) }
        logEvent("purchase", parameters: parameters)
    }

    /// Logs an `app_error` event for an error that the app handled.
    ///
    /// - Parameters:
    ///   - error: Its type and description become `error_description`.
    ///   - context: Details that help to understand the error, such as the current screen.
    public func logError(_ error: any Error, context: [String: String] = [:]) {
        var parameters: [String: ParameterValue] = ["error_description": .text("\(type(of: error)): \(error)")]
        let lines = context.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        if !lines.isEmpty { parameters["error_context"] = .text(lines.joined(separator: "\n")) }
        logEvent("app_error", parameters: parameters)
    }
}
