// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import TestSupport

/// An event of a log, as a client would send it.
struct LoggedEvent: Sendable {
    var id: String
    var name: String
    var time: Timestamp
    var user: String?
    var installation: String?
    var session: String?
    /// In the order of `EventContext.fields`.
    var context: [String?] = []
    var params: [Param] = []
    var transaction: String?
    /// Whether it was sent with a secret key.
    var isTrusted = false
    /// In millionths. It is ignored without a currency.
    var amount: Int64 = 0
    var currency: String?
    var items: [Item] = []

    /// An item of a sale.
    struct Item: Sendable {
        /// The fields as text.
        var fields: [String: String]
        /// In millionths; nil if it is missing or no number.
        var price: Int64?
        /// Nil if it is no whole number.
        var quantity: Int64?
    }

    struct Param: Sendable {
        var name: String
        /// The value as JSON.
        var json: String
        /// The value as queries see it; nil for null.
        var text: String?
    }

    /// The amount and currency, if the event's kind has money and a currency is given.
    var money: (amount: Int64, currency: String)? {
        EventKind(name: Array(name.utf8).span).isMoney ? currency.map { (amount, $0) } : nil
    }

    /// Only crashes have no name.
    var isCrash: Bool { name.isEmpty }
    var isRefund: Bool { name == "refund" }
    var screen: String? { name == "screen_view" ? params.first { $0.name == "screen_name" }?.text : nil }

    var typed: SubmissionBuilder.Typed {
        if let screen { return .screen(screen) }
        let isMoney = EventKind(name: Array(name.utf8).span).isMoney
        return isMoney ? .sale(transaction: transaction, amount: amount, currency: currency) : .nothing
    }
}

/// An update of a property of a user or installation.
struct LoggedUpdate: Sendable {
    var time: Timestamp
    var user: String?
    var installation: String?
    var name: String
    /// Nil removes the property.
    var value: LoggedEvent.Param?
    var isAlias = false

    /// The event that an alias counts like; nil if it is none.
    var naming: LoggedEvent? {
        guard isAlias, let user, let installation else { return nil }
        var event = LoggedEvent(id: "", name: "", time: time)
        (event.user, event.installation) = (user, installation)
        return event
    }
}

/// The data of one app in order of arrival.
struct Log: Sendable {
    static let days = 4

    var seed: UInt64
    var era: Era
    /// By day of receipt, from the era's first.
    var events: [[LoggedEvent]]
    var updates: [[LoggedUpdate]]
    /// Fatal crashes. Their release is the context's version.
    var crashes: [[LoggedEvent]]
    /// The time of the queries.
    var now: Timestamp
}

/// A time zone and a date that need care.
struct Era: Sendable {
    var zone: String
    /// The first day of receipt.
    var day: Day

    static let all = [
        Era(zone: "UTC", day: Day(year: 2026, month: 11, day: 18)),
        // The clocks change at midnight: a day starts at one o'clock or ends an hour late.
        Era(zone: "Africa/Cairo", day: Day(year: 2026, month: 4, day: 22)), Era(zone: "Africa/Cairo", day: Day(year: 2026, month: 10, day: 28)),
        Era(zone: "Asia/Kathmandu", day: Day(year: 2026, month: 2, day: 27)),
        Era(zone: "America/St_Johns", day: Day(year: 2026, month: 3, day: 6)),
        Era(zone: "America/St_Johns", day: Day(year: 2026, month: 10, day: 30)),
        // Daylight saving of half an hour.
        Era(zone: "Australia/Lord_Howe", day: Day(year: 2026, month: 4, day: 3)),
        Era(zone: "Australia/Lord_Howe", day: Day(year: 2026, month: 10, day: 2)),
        // The zone skipped 30 December 2011.
        Era(zone: "Pacific/Apia", day: Day(year: 2011, month: 12, day: 28)), Era(zone: "Pacific/Apia", day: Day(year: 2026, month: 12, day: 30)),
        Era(zone: "UTC", day: Day(year: 2026, month: 12, day: 30)),
    ]
}
