// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// What this process may do, where it stands, and the streams it was given.
package enum OwnProcess {
    /// Makes files and sockets that nobody else may open, whatever the caller's shell says.
    package static func keepFilesPrivate() {
        umask(0o077)
    }

    /// Opens as many files as the system allows; answers how many that are.
    @discardableResult
    package static func raiseFileLimit() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return 0 }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(resource, &limit)
        return Int(clamping: limit.rlim_max)
    }

    /// Has the system take back every large piece of memory as soon as it is let go of; to be called before any is asked for.
    ///
    /// Left to itself the allocator learns from the first large pieces to keep the next ones, up to 64 MB for each of its heaps:
    /// sets of keys that are sealed every few seconds and answers that are put together then leave a daemon twice as large.
    package static func returnLargeMemoryAtOnce() {
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
        mallopt(M_TRIM_THRESHOLD, 4 << 20)
    }

    /// Gives memory that lies free between pieces in use back to the system; every thread's heap is closed to it for a moment.
    package static func returnFreeMemory() {
        malloc_trim(0)
    }

    /// Lets this thread run when others leave room: of a busy core they get nine times its share.
    package static func givePrecedenceToOtherThreads() {
        // To Linux "this process" is the calling thread.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    }

    /// The file that this process runs; nil where the system does not tell.
    package static var executable: String? {
        // The C library allocates it for us.
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// The folders in which programs are looked for, with colons between them.
    package static var searchPath: String {
        guard let path = unsafe getenv("PATH") else { return "" }
        return unsafe String(cString: path)
    }

    /// A path that means the same to a process in another folder.
    package static func absolutePath(of path: String) throws(SystemError) -> String {
        if path.hasPrefix("/") { return path }
        guard let name = unsafe getcwd(nil, 0) else { throw SystemError(number: errno) }
        // The C library allocated it for us.
        defer { unsafe free(name) }
        return unsafe String(cString: name) + "/" + path
    }

    /// Whether a file belongs to this process's user; nil where it cannot be seen.
    package static func owns(_ path: String) -> Bool? {
        var info = stat()
        return unsafe stat(path, &info) == 0 ? info.st_uid == geteuid() : nil
    }

    /// At once: what libraries tidy up at the end may still be in use by other threads. All our output is written when it is made.
    package static func end(code: Int32) -> Never {
        _exit(code)
    }

    /// Whether a person is at the other end of standard input.
    package static var hasPerson: Bool { isatty(STDIN_FILENO) == 1 }
}

/// Where a program's words go.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes everything, and waits for a reader who is slow.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes[done...].withUnsafeBytes { unsafe Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                // The stream is shared with a process that set it not to block.
                var waiting = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&waiting, 1, -1)
            } else if errno != EINTR {
                throw SystemError(number: errno)
            }
        }
    }
}
