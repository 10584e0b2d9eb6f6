// SPDX-License-Identifier: Apache-2.0

import Platform

/// A stack frame as a reporter or a symbol file describes it. The field names are Sentry's.
package struct StackFrame: Sendable, Equatable {
    package enum Symbolication: Int, StoredWord {
        /// There was nothing to look up.
        case none = 0
        /// A symbol file has the function.
        case found = 1
        /// No symbol file of the image has been uploaded.
        case missing = 2
        /// A symbol file exists but does not contain the address.
        case unknown = 3
    }

    package var function: String?
    /// The mangled name from which `function` was derived.
    package var rawFunction: String?
    package var module: String?
    package var file: String?
    package var absolutePath: String?
    package var line: Int?
    package var column: Int?
    package var contextLine: String?
    /// The source lines before and after `contextLine`.
    package var preContext: [String] = []
    package var postContext: [String] = []
    /// The local variables, as the reporter prints them.
    package var variables: [CustomKey] = []
    package var inApp: Bool?
    package var platform: String?
    /// The file of the image that contains the frame.
    package var package: String?
    package var address: UInt64?
    package var symbolAddress: UInt64?
    package var imageAddress: UInt64?
    /// Whether the compiler inlined the function into the frame before it in the list.
    package var isInline = false
    package var symbolication = Symbolication.none
    /// How the frame was found in a minidump; nil for frames that the reporter found.
    package var trust: FrameTrust?
    /// The registers of the crashed thread's innermost frame, in hexadecimal digits.
    package var registers: [CustomKey] = []

    package init() {}
}

/// The way in which a frame of a minidump was found, from the most to the least certain.
package enum FrameTrust: Int, StoredWord {
    /// The registers of the thread.
    case context = 0
    /// Unwind records of a symbol file.
    case cfi = 1
    /// The frame pointer.
    case fp = 2
    /// A search of the stack for addresses in code. The frame may be a remainder of an earlier call.
    case scan = 3
}
