// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A failed file system call with the system's error.
package struct FileError: Error, Sendable, CustomStringConvertible {
    package let operation: String
    package let path: String
    package let number: Int32

    package var isFull: Bool { number == ENOSPC || number == EDQUOT }
    /// Whether resources such as descriptors or memory ran out; the file itself may be fine.
    package var isShortage: Bool { [EMFILE, ENFILE, ENOMEM].contains(number) }
    package var isMissing: Bool { number == ENOENT }
    package var isThereAlready: Bool { number == EEXIST }
    package var description: String { "cannot \(operation) \(path): \(FileError.text(of: number))" }

    init(_ operation: String, _ path: String) {
        self.operation = operation
        self.path = path
        number = errno
    }

    private static func text(of number: Int32) -> String {
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }
}

/// An open file. It is the only type of the modules above C that uses file descriptors.
package final class File: Sendable {
    package enum Mode: Sendable {
        case read
        /// Reads; fails if the path is a symbolic link, and does not wait for a pipe.
        case readNoLink
        /// Creates the file or truncates it.
        case create
        /// Creates the file if it is missing and keeps its contents.
        case keep
        /// Keeps its contents; fails if it is missing.
        case keepExisting
        /// Creates the file; fails if it exists.
        case new

        var flags: Int32 {
            switch self {
            case .read: O_RDONLY
            case .readNoLink: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
            case .create: O_RDWR | O_CREAT | O_TRUNC
            case .keep: O_RDWR | O_CREAT
            case .keepExisting: O_RDWR
            case .new: O_RDWR | O_CREAT | O_EXCL
            }
        }
    }

    private let descriptor: Int32
    package let path: String

    package init(_ path: String, _ mode: Mode, permissions: UInt32 = 0o600) throws(FileError) {
        descriptor = unsafe open(path, mode.flags | O_CLOEXEC, permissions)
        self.path = path
        if descriptor < 0 { throw FileError("open", path) }
    }

    /// Takes over an open descriptor.
    init(descriptor: Int32, path: String) {
        (self.descriptor, self.path) = (descriptor, path)
    }

    /// Whether the path is a device, pipe or socket: output is written to it, and it must not be replaced by a file.
    package static func isSpecial(_ path: String) -> Bool {
        var info = stat()
        return unsafe stat(path, &info) == 0 && info.st_mode & S_IFMT != S_IFREG
    }

    deinit {
        close(descriptor)
    }

    /// Returns a further descriptor of the open file, which the caller closes.
    package func duplicate() throws(FileError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        if copy < 0 { throw FileError("duplicate", path) }
        return copy
    }

    package var size: Int {
        get throws(FileError) {
            var info = stat()
            if unsafe fstat(descriptor, &info) != 0 { throw FileError("read the size of", path) }
            return Int(info.st_size)
        }
    }

    /// Reads up to `count` bytes from `offset`; returns fewer only at the end of the file.
    package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var read: Int?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            read = unsafe fill(UnsafeMutableRawBufferPointer(buffer), from: offset)
            filled = read ?? 0
        }
        if read == nil { throw FileError("read", path) }
        return bytes
    }

    /// Reads words in native byte order.
    package func readWords(at offset: Int, count: Int) throws(FileError) -> [UInt64] {
        var read: Int?
        let words = unsafe [UInt64](unsafeUninitializedCapacity: count) { buffer, filled in
            read = unsafe fill(UnsafeMutableRawBufferPointer(buffer), from: offset)
            filled = (read ?? 0) / 8
        }
        if read == nil { throw FileError("read", path) }
        return words
    }

    /// Returns the number of bytes read; `nil` if the disk fails.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int) -> Int? {
        var filled = 0
        while filled < buffer.count {
            guard let start = buffer.baseAddress else { break }
            let n = unsafe pread(descriptor, start + filled, buffer.count - filled, off_t(offset + filled))
            if n < 0 && errno == EINTR { continue }
            if n < 0 { return nil }
            if n == 0 { break }
            filled += n
        }
        return filled
    }

    /// Writes words in native byte order at an offset, independent of the descriptor's position.
    package func write(words: [UInt64], at offset: Int) throws(FileError) {
        var done = 0
        while done < words.count * 8 {
            let n = unsafe words.withUnsafeBytes { raw in
                guard let start = raw.baseAddress else { return 0 }
                return unsafe pwrite(descriptor, start + done, raw.count - done, off_t(offset + done))
            }
            if n < 0 && errno == EINTR { continue }
            if n <= 0 { throw FileError("write", path) }
            done += n
        }
    }

    /// Writes at the descriptor's position.
    package func write(_ bytes: [UInt8]) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let n = unsafe bytes.withUnsafeBytes { raw in
                guard let start = raw.baseAddress else { return 0 }
                return unsafe Glibc.write(descriptor, start + done, raw.count - done)
            }
            if n < 0 && errno == EINTR { continue }
            if n <= 0 { throw FileError("write", path) }
            done += n
        }
    }

    /// Writes at an offset, independent of the descriptor's position.
    package func write(_ bytes: Span<UInt8>, at offset: Int64) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let n = unsafe bytes.withUnsafeBufferPointer { raw in
                guard let start = raw.baseAddress else { return 0 }
                return unsafe pwrite(descriptor, start + done, raw.count - done, off_t(offset) + off_t(done))
            }
            if n < 0 && errno == EINTR { continue }
            if n <= 0 { throw FileError("write", path) }
            done += n
        }
    }

    /// Cuts the file to a size, or extends it with zeros.
    package func truncate(to size: Int64) throws(FileError) {
        if ftruncate(descriptor, off_t(size)) != 0 { throw FileError("truncate", path) }
    }

    /// Takes space of the disk for bytes that are zero.
    package func allocate(_ size: Int64) throws(FileError) {
        let code = posix_fallocate(descriptor, 0, off_t(size))
        if code == 0 { return }
        errno = code
        throw FileError("allocate", path)
    }

    /// Waits until written bytes are durable (fsync).
    package func sync() throws(FileError) {
        if fdatasync(descriptor) != 0 { throw FileError("sync", path) }
    }

    /// Locks the file until `unlock` or close; returns `false` if another process holds the lock.
    package func lock() throws(FileError) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        if errno == EWOULDBLOCK { return false }
        throw FileError("lock", path)
    }

    package func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }
}
