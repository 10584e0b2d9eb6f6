// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The rules that validate names and values of events.
///
///     firebase, "level_up"      →  accepted
///     firebase, "Level up!"     →  quarantined, `bad_event_name`
///     open, "Level up!"         →  accepted
package struct RuleSet: Sendable {
    package enum Names: Sendable {
        /// A letter, then letters, digits and underscores; some prefixes and names are reserved.
        case firebase
        /// Any printable text.
        case open
    }

    /// The sender of events. It decides which names are reserved: an SDK reports what it observed, and a server must not impersonate it.
    package enum Sender: Sendable {
        case sdk, server
    }

    package let names: Names
    package let sender: Sender
    package let limits: EventLimits

    private init(names: Names, sender: Sender, limits: EventLimits) {
        self.names = names
        self.sender = sender
        self.limits = limits
    }

    /// Returns the rules of the native API and of Firebase.
    package static func firebase(_ sender: Sender, _ settings: AppSettings) -> RuleSet {
        RuleSet(names: .firebase, sender: sender, limits: settings.limits)
    }

    /// Returns the rules of products that allow free text as names.
    package static func open(_ settings: AppSettings) -> RuleSet {
        var limits = EventLimits.open
        limits.eventNames = settings.limits.eventNames
        return RuleSet(names: .open, sender: .sdk, limits: limits)
    }

    /// Whether objects and arrays are allowed as parameter values.
    package var allowsNesting: Bool { names == .open }

    package func fault(eventName name: Span<UInt8>) -> Reason? {
        guard isWellFormed(name, limits.nameLength) else { return .badName }
        return names == .firebase && ReservedNames.events(name, from: sender) ? .reservedName : nil
    }

    package func fault(paramName name: Span<UInt8>) -> Reason? {
        guard isWellFormed(name, limits.paramNameLength) else { return .badParamName }
        return names == .firebase && ReservedNames.hasReservedPrefix(name) ? .reservedParamName : nil
    }

    package func fault(userProperty name: Span<UInt8>) -> Reason? {
        guard isWellFormed(name, limits.userPropertyNameLength) else { return .badUserProperty }
        return names == .firebase && ReservedNames.userProperties(name) ? .reservedUserProperty : nil
    }

    /// Returns the maximum length of a parameter's text in characters.
    package func valueLimit(param name: Span<UInt8>) -> Int {
        guard names == .firebase else { return limits.valueLength }
        let special =
            switch name.count {
            case 6: name.equals("reason") ? 8_192 : 0
            case 10: name.equals("page_title") ? 300 : 0
            case 13: name.equals("page_referrer") ? 420 : name.equals("page_location") ? 1_000 : name.equals("error_context") ? 8_192 : 0
            case 17: name.equals("error_description") ? 8_192 : 0
            default: 0
            }
        return max(special, limits.valueLength)
    }

    private func isWellFormed(_ name: Span<UInt8>, _ limit: Int) -> Bool {
        switch names {
        case .firebase: name.count <= limit && name.isIdentifier
        case .open: !name.isEmpty && name.hasScalars(atMost: limit) && name.isPrintable
        }
    }
}

/// Limits that apps cannot change.
package enum FixedLimits {
    package static let eventsPerRequest = 2_000
    package static let usersPerRequest = 1_000
    package static let idLength = 64
    package static let personLength = 256
    package static let contextLength = 100
    package static let paramsPerItem = 27
    /// The nesting depth of a stored value. Readers of results need not handle deeper ones.
    package static let valueLevels = 32
    /// The number of members of an entry, its parameters, properties or context. An entry with more is quarantined.
    package static let membersPerObject = 1_000
    /// The number of verdicts reported for one event. Further corrections are applied but not listed.
    package static let verdictsPerEvent = 25
}

extension Span<UInt8> {
    /// Whether the text is a letter followed by letters, digits and underscores.
    fileprivate var isIdentifier: Bool {
        guard count > 0, isLetter(self[0]) else { return false }
        for i in 1..<count {
            let byte = self[i]
            guard isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x5f else { return false }
        }
        return true
    }

    private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
}
