import Glibc
import Platform

/// The process itself: how it ends.
enum Process {
    static func end(code: Int32) -> Never {
        exit(code)
    }

    /// Files are for their owner alone, and a closed pipe is an error of the write.
    static func prepare() {
        umask(0o077)
        Signal.ignoreBrokenPipes()
    }

    /// Takes as many file descriptors as the system lets it have.
    static func raiseDescriptorLimit() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(resource, &limit)
    }

    static func complain(_ text: String) {
        Log.writeToStandardError(Array((text + "\n").utf8))
    }

    /// Writes to standard output; whoever takes it slowly makes this wait.
    static func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let n = unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if n < 0 && errno == EINTR { continue }
            guard n > 0 else { throw CommandFailure(message: "Standard output was closed.") }
            rest = rest.dropFirst(n)
        }
    }

    /// Asks at a terminal; without one the answer is no.
    static func confirms(_ question: String) -> Bool {
        guard isatty(STDIN_FILENO) == 1 else { return false }
        print("\(question) [yes/no] ", terminator: "")
        flush()
        return readLine() == "yes"
    }

    static func absolutePath(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let here = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(here) }
        return unsafe String(cString: here) + "/" + path
    }
}
