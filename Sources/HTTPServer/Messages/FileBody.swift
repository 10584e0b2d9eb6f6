// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A part of an open file as the body of a response. It owns the descriptor and closes it with the last reference.
///
/// The file may be replaced or unlinked meanwhile. If it is truncated beneath the server, the connection ends early, so that the client notices.
package final class FileBody: Sendable {
    let descriptor: Int32
    package let offset: Int
    package let length: Int

    /// - Parameter descriptor: A descriptor that is open for reading, which becomes the object's own.
    package init(owning descriptor: Int32, offset: Int = 0, length: Int) {
        precondition(offset >= 0 && length >= 0, "a part of a file lies inside it")
        (self.descriptor, self.offset, self.length) = (descriptor, offset, length)
    }

    deinit {
        close(descriptor)
    }
}
