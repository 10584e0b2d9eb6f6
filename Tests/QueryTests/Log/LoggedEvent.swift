// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import TestSupport

/// One event of a log, as a client would tell it.
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
    /// Millionths; counts where there is a currency.
    var amount: Int64 = 0
    var currency: String?

    struct Param: Sendable {
        var name: String
        /// As it stands in the JSON.
        var json: String
        /// As questions see it; nil of null.
        var text: String?
    }

    /// Counts money only where it says which.
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

/// What a log says of somebody's properties.
struct LoggedUpdate: Sendable {
    var time: Timestamp
    var user: String?
    var installation: String?
    var name: String
    /// Nil removes the property.
    var value: LoggedEvent.Param?
}

/// Everything that one app was told, in the order in which it arrived.
struct Log: Sendable {
    static let days = 4

    var seed: UInt64
    var era: Era
    /// By the day of receipt, counted from the era's first.
    var events: [[LoggedEvent]]
    var updates: [[LoggedUpdate]]
    /// Fatal ones; their release is the context's version.
    var crashes: [[LoggedEvent]]
    /// When it is asked about.
    var now: Timestamp
}

/// Some days in a place, at a time that asks for care.
struct Era: Sendable {
    var zone: String
    /// The first day of receipt.
    var day: Day

    static let all = [
        Era(zone: "UTC", day: Day(year: 2026, month: 11, day: 18)),
        // Clocks change at midnight: a day begins at one o'clock, or ends an hour late.
        Era(zone: "Africa/Cairo", day: Day(year: 2026, month: 4, day: 22)), Era(zone: "Africa/Cairo", day: Day(year: 2026, month: 10, day: 28)),
        Era(zone: "Asia/Kathmandu", day: Day(year: 2026, month: 2, day: 27)),
        Era(zone: "America/St_Johns", day: Day(year: 2026, month: 3, day: 6)),
        Era(zone: "America/St_Johns", day: Day(year: 2026, month: 10, day: 30)),
        // Summer time of half an hour.
        Era(zone: "Australia/Lord_Howe", day: Day(year: 2026, month: 4, day: 3)),
        Era(zone: "Australia/Lord_Howe", day: Day(year: 2026, month: 10, day: 2)),
        // The 30th of December 2011 was left out there.
        Era(zone: "Pacific/Apia", day: Day(year: 2011, month: 12, day: 28)), Era(zone: "Pacific/Apia", day: Day(year: 2026, month: 12, day: 30)),
        Era(zone: "UTC", day: Day(year: 2026, month: 12, day: 30)),
    ]
}
