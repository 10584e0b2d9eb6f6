// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What an app tells of what people do in it: `LiveAnalytics` sends it, `InMemoryAnalytics` shows it to the app's tests.
///
/// Nothing of this waits for disk or network, save for `flush()`.
public protocol Analytics: Sendable {
    /// Something happened.
    ///
    /// - Parameters:
    ///   - name: A letter, then letters, digits and underscores, at most 40, as in Firebase.
    ///   - parameters: What there is to say about it, at most 25; their names are like that of the event.
    func logEvent(_ name: String, parameters: [String: ParameterValue])

    /// From now on it is this person, or nobody known; with the address they gave, if they did.
    func setUserProperties(userId: String?, email: String?)

    /// Something that is true of the person until it is set again; nil takes it away.
    func setUserProperty(_ value: ParameterValue?, forName name: String)

    /// What goes with each event from now on, over starts too, unless the event says otherwise; the empty list takes it away.
    func setDefaultEventParameters(_ parameters: [String: ParameterValue])

    /// Whether anything may be collected. With false all that waits is deleted, and the installation and the person are forgotten.
    func setCollectionEnabled(_ isEnabled: Bool)

    /// What `setCollectionEnabled` said last.
    var isCollectionEnabled: Bool { get }

    /// Deletes what waits and forgets installation, person and default parameters; what is logged next is of a new installation.
    func resetData()

    /// Who this copy of the app is; nil where nothing may be collected. With it the daemon finds what it has of somebody who never said their name.
    var installationID: String? { get }

    /// The session that goes on at the moment, as events carry it; nil where there is none.
    var sessionID: String? { get }

    /// Sends what waits, and returns when the daemon has it.
    func flush() async throws(SignalboxError)
}

extension Analytics {
    /// Something happened, and there is no more to say about it.
    public func logEvent(_ name: String) {
        logEvent(name, parameters: [:])
    }

    /// From now on it is this person, or nobody known.
    public func setUserID(_ id: String?) {
        setUserProperties(userId: id, email: nil)
    }

    /// Somebody looks at a screen.
    public func logScreenView(screenName: String, screenClass: String? = nil) {
        var parameters: [String: ParameterValue] = ["screen_name": .text(screenName)]
        if let screenClass { parameters["screen_class"] = .text(screenClass) }
        logEvent("screen_view", parameters: parameters)
    }

    /// Somebody paid.
    ///
    /// - Parameters:
    ///   - amount: All of it; `Decimal(string: "19.99")` is exact where a literal goes through a `Double`.
    ///   - currency: Three letters, such as `EUR`.
    ///   - items: What was bought.
    ///   - transactionID: The shop's own number of it; the same one again does not count.
    public func logPurchase(amount: Decimal, currency: String, items: [Item] = [], transactionID: String? = nil) {
        var parameters: [String: ParameterValue] = ["value": .decimal(amount), "currency": .text(currency)]
        if !items.isEmpty { parameters["items"] = .items(items) }
        if let transactionID { parameters["transaction_id"] = .text(transactionID) }
        logEvent("purchase", parameters: parameters)
    }

    /// Something failed, and the app goes on.
    ///
    /// - Parameters:
    ///   - error: Its type and what it says of itself become `error_description`.
    ///   - context: What may help to understand it, such as where in the app it was.
    public func logError(_ error: any Error, context: [String: String] = [:]) {
        var parameters: [String: ParameterValue] = ["error_description": .text("\(type(of: error)): \(error)")]
        let lines = context.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        if !lines.isEmpty { parameters["error_context"] = .text(lines.joined(separator: "\n")) }
        logEvent("app_error", parameters: parameters)
    }
}
