// SPDX-License-Identifier: Apache-2.0

import MessageStore
import Messaging
import Platform

/// The causes of alerts about deliveries: disabled registrations, and deliveries that were given up.
///
/// An app whose receivers are all down gets a few alerts, not one for each delivery: an origin is named once until no delivery to it was
/// given up for an hour, and the origins after the first five share one alert.
///
///     given up: a 40, b 12, c 9, d 3, e 2, f 2, g 1   →   exhausted:a … exhausted:e, exhausted (3 deliveries to 2 more origins)
struct DeliveryCauses {
    private static let window = Timestamp.Span.hours(1)
    private static let mostNamed = 5

    private let disabled: [DisabledOrigin]
    private let exhausted: [ExhaustedOrigin]

    init(_ store: MessageStore, now: Timestamp) async throws {
        disabled = try await store.disabledOrigins()
        exhausted = try await store.exhaustedOrigins(since: now - DeliveryCauses.window)
    }

    /// - Parameter stood: The causes of the app's alerts that stand. Their origins stay named.
    func causes(of app: AppID, stood: Set<String>) -> [AlertCause] {
        let found = exhausted.filter { $0.app == app }
        let known = found.filter { stood.contains(AlertKind.exhausted.cause($0.origin)) }
        let fresh = found.filter { !stood.contains(AlertKind.exhausted.cause($0.origin)) }.sorted {
            ($1.deliveries, $0.origin) < ($0.deliveries, $1.origin)
        }
        let named = known + fresh.prefix(max(0, DeliveryCauses.mostNamed - known.count))
        let others = fresh.dropFirst(named.count - known.count)
        return disabled.filter { $0.app == app }.map(AlertCause.init) + named.map(AlertCause.init)
            + (others.isEmpty ? [] : [AlertCause(Array(others))])
    }
}

extension AlertCause {
    fileprivate init(_ disabled: DisabledOrigin) {
        self.init(
            .disabledOrigin, of: disabled.origin,
            "Deliveries to \(disabled.origin) have failed since \(disabled.failingSince.rfc3339); \(disabled.registrations) registrations are disabled.",
            data: [("origin", disabled.origin), ("registrations", String(disabled.registrations)), ("failing_since", disabled.failingSince.rfc3339)])
    }

    fileprivate init(_ exhausted: ExhaustedOrigin) {
        let (count, since) = (exhausted.deliveries, exhausted.since.rfc3339)
        self.init(
            .exhausted, of: exhausted.origin,
            "\(count) \(count == 1 ? "delivery" : "deliveries") to \(exhausted.origin) failed at the last attempt since \(since). Redrive the messages once the endpoint works.",
            data: [("origin", exhausted.origin), ("deliveries", String(count)), ("since", since)])
    }

    fileprivate init(_ others: [ExhaustedOrigin]) {
        let count = others.reduce(0) { $0 + $1.deliveries }
        self.init(
            .exhausted,
            "\(count) deliveries to \(others.count) more \(others.count == 1 ? "origin" : "origins") failed at the last attempt.",
            data: [("origins", String(others.count)), ("deliveries", String(count))])
    }
}
