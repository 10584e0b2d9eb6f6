// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A new file that receives a request's body. It is removed if the upload is aborted.
final class UploadFile {
    private let path: String
    private var descriptor: Int32

    /// Returns `nil` if the file cannot be created.
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

    /// Appends all bytes; returns `false` if writing fails.
    func write(_ bytes: Swift.Span<UInt8>) -> Bool {
        var offset = 0
        while offset < bytes.count {
            // write(2) reads from the span's memory, which lives for the duration of the closure.
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset) }
            if count > 0 {
                offset += count
            } else if count == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Finishes the file and transfers its ownership.
    func finish() -> UploadedFile {
        close(descriptor)
        descriptor = -1
        return UploadedFile(path: path)
    }
}

/// A complete upload, owned by its handler.
final class UploadedFile: Sendable {
    let path: String

    fileprivate init(path: String) {
        self.path = path
    }

    /// Removes the file, also if its handler never started.
    deinit {
        remove()
    }

    func remove() {
        unlink(path)
    }
}
