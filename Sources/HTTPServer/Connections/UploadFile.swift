// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A new file that takes a request's body as it arrives, and is removed if that breaks off.
final class UploadFile {
    private let path: String
    private var descriptor: Int32

    /// Nil when the file cannot be made.
    init?(directory: String, id: RequestID) {
        path = "\(directory)/upload-\(id)"
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(path)
    }

    /// Appends all of `bytes`; false when the disk does not take them.
    func write(_ bytes: [UInt8]) -> Bool {
        var offset = 0
        while offset < bytes.count {
            // write(2) reads from the array's own storage, which lives for the duration of the closure.
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset) }
            if count > 0 {
                offset += count
            } else if count == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Ends writing and hands the file over.
    func finish() -> UploadedFile {
        close(descriptor)
        descriptor = -1
        return UploadedFile(path: path)
    }
}

/// A complete upload, which belongs to its handler.
final class UploadedFile: Sendable {
    let path: String

    fileprivate init(path: String) {
        self.path = path
    }

    /// Also removes the file of a handler that was never started.
    deinit {
        remove()
    }

    func remove() {
        unlink(path)
    }
}
