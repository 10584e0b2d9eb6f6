// SPDX-License-Identifier: Apache-2.0

/// Writes a key and its value in one call.
extension JSONWriter {
    package mutating func field(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    package mutating func field(_ name: String, _ value: some BinaryInteger) {
        key(name)
        integer(value)
    }

    package mutating func field(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    package mutating func field(_ name: String, _ values: [String]) {
        key(name)
        beginArray()
        for value in values { string(value) }
        endArray()
    }
}
