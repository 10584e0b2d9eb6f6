// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Glibc
#endif

/// An append-only file. Bytes survive the end of the process once `append` has returned.
final class AppendFile {
    private let descriptor: Int32
    private(set) var size: Int

    /// Creates a file readable by this user only; `nil` if that fails.
    init?(creating path: String) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        size = 0
        if descriptor < 0 { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Writes all bytes, or none if the disk is full.
    func append(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                // Remove the partial write: a reader would stop there.
                ftruncate(descriptor, off_t(size))
                return false
            }
            done += count
        }
        size += bytes.count
        return true
    }

    /// Replaces a file as a whole, durably; returns whether that succeeded.
    static func replace(_ path: String, with bytes: [UInt8]) -> Bool {
        let temporary = path + ".new"
        unlink(temporary)
        guard let file = AppendFile(creating: temporary), file.append(bytes), file.synchronize() else { return false }
        return rename(temporary, path) == 0
    }

    /// Waits until the bytes survive a power failure; returns whether they do.
    func synchronize() -> Bool {
        fsync(descriptor) == 0
    }
}
