// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// Analytics as an app has them that could send to several products.
public protocol AnalyticsServiceProtocol: Sendable {
    func logEvent(_ name: String, parameters: [String: any Sendable])
    func logScreenView(_ name: String)
    /// Logs a purchase. A repeated transaction ID is counted once.
    func logPurchase(_ productID: String, price: Decimal, currency: String, transactionID: String)
    func logError(_ error: any Error, context: [String: String])
    func setUserID(_ id: String?)
    func setUserProperty(_ value: String?, forName name: String)
    func setCollectionEnabled(_ isEnabled: Bool)
}

/// The service over `Analytics`.
public struct SignalboxAnalyticsService: AnalyticsServiceProtocol {
    private let analytics: any Analytics

    public init(_ analytics: any Analytics) {
        self.analytics = analytics
    }

    public func logEvent(_ name: String, parameters: [String: any Sendable]) {
        analytics.logEvent(name, parameters: parameters.mapValues(Self.value))
    }

    public func logScreenView(_ name: String) { analytics.logScreenView(screenName: name) }

    public func logPurchase(_ productID: String, price: Decimal, currency: String, transactionID: String) {
        analytics.logPurchase(
            amount: price, currency: currency, items: [Item(id: productID, price: price, quantity: 1)], transactionID: transactionID)
    }

    public func logError(_ error: any Error, context: [String: String]) { analytics.logError(error, context: context) }

    public func setUserID(_ id: String?) { analytics.setUserID(id) }

    public func setUserProperty(_ value: String?, forName name: String) {
        analytics.setUserProperty(value.map(ParameterValue.text), forName: name)
    }

    public func setCollectionEnabled(_ isEnabled: Bool) { analytics.setCollectionEnabled(isEnabled) }

    /// Types that are no parameters become texts, such as a URL.
    private static func value(_ value: any Sendable) -> ParameterValue {
        switch value {
        case let text as String: .text(text)
        case let flag as Bool: .flag(flag)
        case let number as Int: .integer(Int64(number))
        case let number as Double: .number(number)
        case let amount as Decimal: .decimal(amount)
        default: .text("\(value)")
        }
    }
}
