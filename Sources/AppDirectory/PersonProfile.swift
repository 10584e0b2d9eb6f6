// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The data of a person besides events: properties, the times of first and last sight, and partners.
package struct PersonProfile: Sendable {
    package struct Property: Sendable {
        package var name: String
        /// The value as JSON: a string, a number or a boolean.
        package var value: [UInt8]
        package var time: Timestamp

        package init(name: String, value: [UInt8], time: Timestamp) {
            self.name = name
            self.value = value
            self.time = time
        }
    }

    /// An installation of the user, or a user of the installation.
    package struct Partner: Sendable {
        package var id: String?
        /// The start of the first quarter-hour with an event of both; nil if they are connected by an alias only.
        package var firstSeen: Timestamp?
        package var lastSeen: Timestamp?
        package var isAlias: Bool

        package init(id: String?, firstSeen: Timestamp?, lastSeen: Timestamp?, isAlias: Bool) {
            self.id = id
            self.firstSeen = firstSeen
            self.lastSeen = lastSeen
            self.isAlias = isAlias
        }
    }

    package var firstSeen: Timestamp?
    package var lastSeen: Timestamp?
    package var properties: [Property] = []
    package var partners: [Partner] = []

    package init() {}
}

/// The keys and days of a person's records. They are found once and used for all pages.
package struct PersonRecords: Sendable {
    package let keys: PersonKeys
    package let days: [Day]

    package init(keys: PersonKeys, days: [Day]) {
        self.keys = keys
        self.days = days
    }
}
