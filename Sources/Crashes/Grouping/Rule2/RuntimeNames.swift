// SPDX-License-Identifier: Apache-2.0

/// Functions of standard libraries that compilers copy into the app's binary. They belong to rule 2: a change here changes stored groups.
///
/// The parts of a failed check are in the app's binary after inlining and specialization, so the image does not tell their owner:
///
///     _assertionFailure                      library
///     Array._checkSubscript                  library
///     Shop.Cart.total                        app
enum RuntimeNames {
    static func contains(_ name: ArraySlice<UInt8>) -> Bool {
        beginnings.begins(name) || exact.contains(name)
    }

    /// Whether a function belongs to a crash reporter.
    static func isReporter(_ name: ArraySlice<UInt8>) -> Bool { name.begins(with: reporter) }

    private static let reporter = Array("sentry".utf8)
    private static let beginnings = WordList([
        "Array.", "ArraySlice.", "ContiguousArray.", "_ArrayBuffer.", "_ContiguousArrayBuffer.", "_SliceBuffer.", "Dictionary.", "Set.", "Optional.",
        "Sequence.", "Collection.", "BidirectionalCollection.", "RandomAccessCollection.", "MutableCollection.", "RangeReplaceableCollection.",
        "Range.", "ClosedRange.", "Int.", "UInt.", "Int8.", "Int16.", "Int32.", "Int64.", "UInt8.", "UInt16.", "UInt32.", "UInt64.", "Double.",
        "Float.", "String.", "Substring.", "Character.", "Unicode.", "BinaryInteger.", "FixedWidthInteger.", "SignedInteger.", "Result.",
        "UnsafeBufferPointer.", "UnsafeMutableBufferPointer.", "UnsafePointer.", "UnsafeMutablePointer.", "UnsafeRawBufferPointer.",
        "LazyMapSequence.",
        "__CocoaDictionary.", "__RawDictionaryStorage.", "_NativeDictionary.", "_NativeSet.", "_StringGuts.", "_StringObject.",
        "Swift runtime failure", "UnsafeContinuation.", "CheckedContinuation.", "Task.", "MainActor.", "_Concurrency.", "Foundation.",
        "Combine.", "SwiftUI.", "Dispatch.",
        "std::", "core::", "alloc::", "__rust", "rust_", "<alloc::", "<core::", "<std::", "backtrace::", "backtrace_rs::", "sentry", "tokio::",
        "hyper::", "futures_util::", "futures_core::", "futures::", "axum::", "tower::", "actix_", "reqwest::", "serde::", "serde_json::", "sqlx::",
        "boost::", "absl::", "folly::", "__gnu_cxx::", "__cxxabiv1::",
    ])
    private static let exact = WordList([
        "range", "_assertionFailure", "closure", "swift_unexpectedError", "__rust_begin_short_backtrace", "panic_fmt", "<redacted>",
    ])
}
