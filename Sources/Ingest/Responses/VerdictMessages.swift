// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// The texts about names and values, with their limits.
enum VerdictMessages {
    static let timestamp = "Must be RFC 3339 text or a number of seconds, milliseconds or microseconds since 1970."
    static let tooManyMembers = "Has more than \(FixedLimits.membersPerObject) members."
    static let tooOld = "Is older than the app's data retention."
    static let onlySales = "A send key may report purchase, in_app_purchase and refund only. Use an ingest or admin key for other events."
    static let negativeRefund = "Must not be negative: the sign was removed."
    static let shape = "must begin with a letter and contain only letters, digits and underscores"

    static func unknown(andOthers others: Int) -> String {
        let more = others == 0 ? "" : others == 1 ? ", nor is 1 other" : ", nor are \(others) others"
        return "Is not a known field and was not stored\(more)."
    }

    static func name(_ reason: Reason, _ rules: RuleSet) -> String {
        reason == .reservedName ? "This name is reserved." : form(rules, rules.limits.nameLength)
    }

    static func param(_ reason: Reason, _ rules: RuleSet, limit: Int) -> String {
        switch reason {
        case .badParamName: form(rules, rules.limits.paramNameLength)
        case .reservedParamName: "Names beginning with _, firebase_, ga_, google_ or gtag. are reserved."
        case .valueTooLong: "Has more than \(limit) \(rules.allowsNesting ? "characters or bytes" : "characters")."
        case .tooManyParams: "There are more than \(limit) parameters."
        case .duplicateParam: "Is a duplicate; the last value is used."
        case .numberOutOfRange: "Is a number too large or too close to zero to store."
        case .badItems: "Must be an array of objects."
        case .tooManyItems: "There are more than \(limit) items."
        case .badCurrency: "Must be a three-letter currency code."
        case .badMoney: "Must be a decimal number."
        case .negativeAmount: "Must not be negative. Send a refund for money that was paid back."
        default: rules.allowsNesting ? nested : scalar
        }
    }

    private static let scalar = "Must be a string without NUL or unpaired surrogates, a number, a boolean or null."
    private static let nested = "Must have at most \(FixedLimits.valueLevels) levels, and strings without NUL or unpaired surrogates."

    static func property(_ reason: Reason, _ rules: RuleSet) -> String {
        switch reason {
        case .badUserProperty: form(rules, rules.limits.userPropertyNameLength)
        case .reservedUserProperty: "This name is reserved."
        case .userPropertyTooLong: "Has more than \(rules.limits.userPropertyValueLength) characters."
        case .tooManyUserProperties: "There are more than \(rules.limits.userProperties) properties."
        case .badValue: scalar
        default: param(reason, rules, limit: 0)
        }
    }

    /// Shortens a name for a response. A name may be as long as a body.
    static func short(_ name: String) -> String {
        let scalars = name.unicodeScalars
        return scalars.count > 100 ? String(String.UnicodeScalarView(scalars.prefix(100))) + "…" : name
    }

    private static func form(_ rules: RuleSet, _ limit: Int) -> String {
        switch rules.names {
        case .firebase: "A name has at most \(limit) characters and \(shape)."
        case .open: "A name must have 1 to \(limit) printable characters."
        }
    }
}
