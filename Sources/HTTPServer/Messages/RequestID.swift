// SPDX-License-Identifier: Apache-2.0

/// The ID shared by a response and its log line, written as 16 hexadecimal digits.
package struct RequestID: Sendable, Equatable, CustomStringConvertible {
    package let value: UInt64

    package init(value: UInt64) {
        self.value = value
    }

    package var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// Generates the IDs of a loop: a counter with a random start, mixed over 64 bits so that consecutive IDs look different.
struct RequestIDSource {
    private var state: UInt64

    init() {
        var random = SystemRandomNumberGenerator()
        state = random.next()
    }

    mutating func next() -> RequestID {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return RequestID(value: mixed ^ (mixed >> 31))
    }
}
