// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The limits, paths and standard streams of this process.
package enum OwnProcess {
    /// Sets the umask, so that new files and sockets are accessible to this user only.
    package static func keepFilesPrivate() {
        umask(0o077)
    }

    /// Raises the limit of open files to the maximum and returns it.
    @discardableResult
    package static func raiseFileLimit() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return 0 }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(resource, &limit)
        return Int(clamping: limit.rlim_max)
    }

    /// Configures the allocator to return large blocks to the system when they are freed. Call it before large allocations.
    ///
    /// By default glibc raises its mmap threshold after the first large frees and keeps up to 64 MB in each heap. Key sets sealed every few
    /// seconds and large responses would then double the daemon's memory.
    package static func returnLargeMemoryAtOnce() {
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
        mallopt(M_TRIM_THRESHOLD, 4 << 20)
    }

    /// Returns free memory between used blocks to the system. It locks each heap for a moment.
    package static func returnFreeMemory() {
        malloc_trim(0)
    }

    /// Lowers this thread's priority: on a busy core other threads get nine times its share.
    package static func givePrecedenceToOtherThreads() {
        // On Linux PRIO_PROCESS with 0 means the calling thread.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    }

    /// Lets this thread run for 100 ms at a stretch unless another thread wakes, which then runs at once.
    ///
    /// Since Linux 6.6 a waking thread waits for the end of the running one's slice, whatever the priority, and a slice ends at a tick of 4 ms.
    /// Since 6.12 it does not wait for one with longer slices.
    package static func runInLongSlices() {
        clinux_set_slice(100_000_000)
    }

    /// The path of this program; `nil` if unknown.
    package static var executable: String? {
        // Allocated by the C library.
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// The value of PATH.
    package static var searchPath: String {
        guard let path = unsafe getenv("PATH") else { return "" }
        return unsafe String(cString: path)
    }

    /// Returns the absolute path.
    package static func absolutePath(of path: String) throws(SystemError) -> String {
        if path.hasPrefix("/") { return path }
        guard let name = unsafe getcwd(nil, 0) else { throw SystemError(number: errno) }
        // Allocated by the C library.
        defer { unsafe free(name) }
        return unsafe String(cString: name) + "/" + path
    }

    /// Whether a file belongs to this process's user; `nil` if it is not accessible.
    package static func owns(_ path: String) -> Bool? {
        var info = stat()
        return unsafe stat(path, &info) == 0 ? info.st_uid == geteuid() : nil
    }

    /// Exits at once without exit handlers, because other threads may still use what libraries clean up. Output is never buffered.
    package static func end(code: Int32) -> Never {
        _exit(code)
    }

    /// Whether standard input is a terminal.
    package static var hasPerson: Bool { isatty(STDIN_FILENO) == 1 }
}

/// An output stream.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes all bytes and waits for a slow reader.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes[done...].withUnsafeBytes { unsafe Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                // Another process that shares the stream made it non-blocking.
                var waiting = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&waiting, 1, -1)
            } else if errno != EINTR {
                throw SystemError(number: errno)
            }
        }
    }
}
