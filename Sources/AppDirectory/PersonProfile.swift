// SPDX-License-Identifier: Apache-2.0

package import Platform

/// What is known of a person besides events.
package struct PersonProfile: Sendable {
    package struct Property: Sendable {
        package var name: String
        /// A string, number or boolean as JSON.
        package var value: [UInt8]
        package var time: Timestamp

        package init(name: String, value: [UInt8], time: Timestamp) {
            self.name = name
            self.value = value
            self.time = time
        }
    }

    /// A user of an installation, or an installation of a user.
    package struct Partner: Sendable {
        package var id: String?
        /// When the two were seen in one event, to the quarter-hour; nil where only an alias says that they belong together.
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

/// Which of a person's records are asked for, found once and good for all pages.
package struct PersonRecords: Sendable {
    package let keys: PersonKeys
    package let days: [Day]

    package init(keys: PersonKeys, days: [Day]) {
        self.keys = keys
        self.days = days
    }
}
