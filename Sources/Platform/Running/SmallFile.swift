// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A failed system call.
package struct SystemError: Error, Equatable, Sendable {
    package var number: Int32

    package init(number: Int32) {
        self.number = number
    }

    package var isMissing: Bool { number == ENOENT }
    /// Whether the kernel lacks the function.
    package var isUnsupported: Bool { number == ENOSYS }
    var isReaderGone: Bool { number == EPIPE }
    package var reason: String { unsafe String(cString: strerror(number)) }
}

/// Reads small files.
package enum SmallFile {
    /// Returns the mode bits of a file; `nil` if it is missing.
    package static func mode(_ path: String) -> UInt32? {
        var info = stat()
        return unsafe stat(path, &info) == 0 ? info.st_mode & 0o7777 : nil
    }

    /// Reads at most `limit` bytes from the start.
    package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(number: errno) }
        defer { close(descriptor) }
        var contents: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while contents.count < limit {
            let count = unsafe Glibc.read(descriptor, &chunk, min(chunk.count, limit - contents.count))
            if count == 0 { break }
            if count > 0 {
                contents += chunk[..<count]
            } else if errno != EINTR {
                throw SystemError(number: errno)
            }
        }
        return contents
    }
}

/// The environment variables of this process.
package enum ProcessEnvironment {
    /// Read from the kernel, because the C library's table may change concurrently.
    package static var variables: [String: String] {
        let bytes = (try? SmallFile.read("/proc/self/environ", limit: 4 << 20)) ?? []
        var variables: [String: String] = [:]
        for entry in bytes.split(separator: 0) {
            guard let equals = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
            variables[String(decoding: entry[..<equals], as: UTF8.self)] = String(decoding: entry[(equals + 1)...], as: UTF8.self)
        }
        return variables
    }
}
