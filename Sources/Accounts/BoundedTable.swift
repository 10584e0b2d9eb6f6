// SPDX-License-Identifier: Apache-2.0

/// A dictionary that forgets the keys that were not used for longest.
///
/// Two generations hold half of the capacity each. When the younger one is full it becomes the older one, whose keys are dropped. A key
/// that is used moves to the younger one, so keys in use stay whatever else arrives.
package struct BoundedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let perGeneration: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    package init(capacity: Int) {
        perGeneration = max(1, capacity / 2)
    }

    package var count: Int { young.count + old.count }

    package subscript(key: Key) -> Value? {
        get { young[key] ?? old[key] }
        set {
            old[key] = nil
            if young[key] == nil, newValue != nil, young.count >= perGeneration {
                old = young
                young = [:]
            }
            young[key] = newValue
        }
    }
}
