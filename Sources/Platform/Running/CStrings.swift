// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Calls `body` with a null-terminated list of C strings, as `execve` takes arguments and environment.
package func withCStrings<T>(_ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> T) -> T {
    let copies = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe copies.withUnsafeBufferPointer { unsafe body($0.baseAddress.unsafelyUnwrapped) }
}
