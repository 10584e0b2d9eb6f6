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

/// A file that grows at its end. What `append` returned from survives the end of the process, however it comes.
final class AppendFile {
    private let descriptor: Int32
    private(set) var size: Int

    /// A new file, for this user alone; nil where it cannot be made.
    init?(creating path: String) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        size = 0
        if descriptor < 0 { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Writes all of it or, where there is no room, nothing.
    func append(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                // A reader would stop at the piece that is there.
                ftruncate(descriptor, off_t(size))
                return false
            }
            done += count
        }
        size += bytes.count
        return true
    }
}
