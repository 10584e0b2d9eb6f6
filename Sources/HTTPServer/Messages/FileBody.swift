// SPDX-License-Identifier: Apache-2.0

import CLinux
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

    /// Announces that the part is read from start to end, so that the kernel reads further ahead.
    func expectReading() {
        posix_fadvise(descriptor, off_t(offset), off_t(length), POSIX_FADV_SEQUENTIAL)
    }

    /// Returns all bytes of a small part; `nil` if the file is shorter, or not in memory and reading must not wait for the disk.
    func bytes(waiting: Bool) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = max(0, clinux_read(descriptor, buffer.baseAddress, length, Int64(offset), waiting ? 1 : 0))
        }
        return bytes.count == length ? bytes : nil
    }
}

/// The rest of a file that is being sent.
struct FileToSend {
    private let file: FileBody
    private var offset: Int
    private(set) var left: Int

    init(_ file: FileBody) {
        self.file = file
        (offset, left) = (file.offset, file.length)
        file.expectReading()
    }

    /// Sends up to `most` bytes to a socket without copying them through this process. Returns their number as sendfile(2) does: 0 at the end
    /// of a file that is shorter than announced, and a negative error number.
    mutating func send(to socket: Int32, most: Int) -> Int {
        var position = off_t(offset)
        let count = sendfile(socket, file.descriptor, &position, min(left, most))
        guard count >= 0 else { return -Int(errno) }
        offset += count
        left -= count
        return count
    }
}
