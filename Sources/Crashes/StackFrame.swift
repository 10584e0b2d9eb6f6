// SPDX-License-Identifier: Apache-2.0

import Platform

/// A place in a program, as its reporter or a symbol file tells of it. Names are Sentry's.
package struct StackFrame: Sendable, Equatable {
    package enum Symbolication: Int, StoredWord {
        /// Nothing was to be looked up.
        case none = 0
        /// Its function was found in a symbol file.
        case found = 1
        /// No symbol file of its image has been brought.
        case missing = 2
        /// There is a symbol file, and it does not know the address.
        case unknown = 3
    }

    package var function: String?
    /// As the compiler wrote it, where `function` is made from it.
    package var rawFunction: String?
    package var module: String?
    package var file: String?
    package var absolutePath: String?
    package var line: Int?
    package var column: Int?
    package var contextLine: String?
    package var inApp: Bool?
    package var platform: String?
    /// The file of the image it lies in.
    package var package: String?
    package var address: UInt64?
    package var symbolAddress: UInt64?
    package var imageAddress: UInt64?
    /// Whether the compiler put it into the frame that comes before it in the list.
    package var isInline = false
    package var symbolication = Symbolication.none

    package init() {}
}
