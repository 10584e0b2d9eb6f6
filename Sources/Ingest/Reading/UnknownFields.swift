// SPDX-License-Identifier: Apache-2.0

import JSON

/// Keys of an object that name no known field: the first and how many there are. Only these are kept, because an object may have many.
///
///     {"name": "login", "userid": "ann", "time": 12}   →   first `userid`, count 2
struct UnknownFields {
    private(set) var first: JSONToken?
    private(set) var count = 0

    mutating func add(_ key: JSONToken) {
        if count == 0 { first = key }
        count += 1
    }
}
