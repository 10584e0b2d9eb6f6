// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The data of a message for programs: keys and texts in the sender's order.
package struct MessageData: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package var key: String
        package var value: String

        package init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    package let fields: [Field]

    package init(_ fields: [Field]) throws(Refusal) {
        var keys: Set<[UInt8]> = []
        for field in fields {
            guard !field.key.isEmpty else { throw .field("data", "empty_key", "must not have an empty key") }
            guard !MessageData.isReserved(field.key) else { throw MessageData.reserved(field.key) }
            guard keys.insert(Array(field.key.utf8)).inserted else {
                throw .field("data", "duplicate_key", "has a duplicate key: \(field.key.prefix(100))")
            }
        }
        self.fields = fields
    }

    /// Whether FCM reserves the key. Messages accepted here are also valid for FCM.
    private static func isReserved(_ key: String) -> Bool {
        ["from", "message_type", "gcm"].contains(key) || ["google", "gcm.notification."].contains { key.utf8.starts(with: $0.utf8) }
    }

    private static func reserved(_ key: String) -> Refusal {
        .field(
            "data", "reserved_key", "has a key that FCM reserves: \(key.prefix(100))",
            hint: "Reserved: from, message_type, gcm, and keys that begin with google or gcm.notification.")
    }
}
