import Dispatch
import Foundation
package import Glibc
import Synchronization

/// The daemon's own program as a child of this process: to be asked, signalled and killed.
package final class DaemonProcess: Sendable {
    package enum Failure: Error {
        case notStarted(Int32)
        /// It ended, or closed its log, without the line that was waited for.
        case endedBefore(String, log: String)
    }

    package let pid: pid_t
    package let door: Door
    private let log: LineReader
    private let exit: ExitWatch

    /// Starts the program and waits until it serves.
    package static func start(
        in folder: String, environment: [String: String] = [:], configuration: String? = nil
    ) async throws -> DaemonProcess {
        let (pid, log) = try launch(in: folder, environment: environment, configuration: configuration)
        let line: String
        do {
            line = try await log.line { $0.contains("serving") }
        } catch {
            kill(pid, SIGKILL)
            _ = await ExitWatch(pid).code()
            throw error
        }
        return DaemonProcess(pid, log, port: port(in: line), folder: folder)
    }

    /// Starts the program where it is expected not to serve; answers how it ended and what it said.
    package static func run(
        in folder: String, environment: [String: String] = [:], configuration: String? = nil
    ) async throws -> (code: Int32, log: String) {
        let (pid, log) = try launch(in: folder, environment: environment, configuration: configuration)
        let code = await ExitWatch(pid).code()
        return (code, await log.whole())
    }

    private init(_ pid: pid_t, _ log: LineReader, port: UInt16, folder: String) {
        self.pid = pid
        self.log = log
        door = Door(port: port, controlSocket: folder + "/control.sock")
        exit = ExitWatch(pid)
    }

    deinit {
        // A test that failed half-way leaves nobody running; an ended child's number is not free before it was waited for.
        if !exit.isOver { kill(pid, SIGKILL) }
    }

    package func signal(_ number: Int32) {
        if !exit.isOver { kill(pid, number) }
    }

    /// How it ended: its code, or 128 and the signal's number.
    package func exitCode() async -> Int32 {
        await exit.code()
    }

    /// Ends it as `kill -9` does.
    package func killHard() async {
        signal(SIGKILL)
        _ = await exitCode()
    }

    /// Ends it as a service manager does.
    package func stop() async -> Int32 {
        signal(SIGTERM)
        return await exitCode()
    }

    /// Waits for a line of the log, also one that has come already.
    @discardableResult
    package func line(containing text: String) async throws -> String {
        try await log.line { $0.contains(text) }
    }

    /// Everything it wrote to its log, once it has ended.
    package func wholeLog() async -> String {
        await log.whole()
    }

    /// Resident memory in bytes.
    package var residentBytes: Int {
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kibibytes = Int(line.filter(\.isNumber))
        else { return 0 }
        return kibibytes << 10
    }

    // MARK: Launching

    private static var program: String {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (own as NSString).deletingLastPathComponent + "/ingestd"
    }

    /// The one place that knows the command line.
    private static func arguments(_ configuration: String?) -> [String] {
        ["serve"] + (configuration.map { ["--config", $0] } ?? [])
    }

    /// Held while a child is made, so that no other child inherits the end of its log.
    private static let launching = Mutex(())

    private static func launch(
        in folder: String, environment: [String: String], configuration: String?
    ) throws -> (pid_t, LineReader) {
        try launching.withLock { _ in try spawn(in: folder, environment: environment, configuration: configuration) }
    }

    private static func spawn(
        in folder: String, environment: [String: String], configuration: String?
    ) throws -> (pid_t, LineReader) {
        var variables = ["INGESTD_STORAGE_DIRECTORY": folder, "INGESTD_SERVER_LISTEN": "127.0.0.1:0"]
        // What the environment says a file cannot change any more.
        if configuration == nil { variables["INGESTD_LOG_LEVEL"] = "debug" }
        variables.merge(environment) { $1 }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure.notStarted(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
        var pid = pid_t()
        let status = withCStrings([program] + arguments(configuration)) { argv in
            withCStrings(variables.map { "\($0.key)=\($0.value)" }) { envp in posix_spawn(&pid, program, &actions, nil, argv, envp) }
        }
        guard status == 0 else {
            close(ends[0])
            throw Failure.notStarted(status)
        }
        return (pid, LineReader(ends[0]))
    }

    private static func withCStrings<T>(_ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> T) -> T {
        let copies = texts.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
    }

    private static func port(in line: String) -> UInt16 {
        line.split(separator: " ").first { $0.hasPrefix("address=") }?.split(separator: ":").last.flatMap { UInt16($0.filter(\.isNumber)) } ?? 0
    }
}

/// Waits for a child's end on a thread of its own.
private final class ExitWatch: Sendable {
    private struct State {
        var code: Int32?
        var waiters: [CheckedContinuation<Int32, Never>] = []
    }

    private let state = Mutex(State())

    init(_ pid: pid_t) {
        DispatchQueue(label: "signalbox.test-exit").async {
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
            self.ended(status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f)
        }
    }

    var isOver: Bool { state.withLock { $0.code != nil } }

    func code() async -> Int32 {
        await withCheckedContinuation { continuation in
            let code = state.withLock { state in
                if state.code == nil { state.waiters.append(continuation) }
                return state.code
            }
            if let code { continuation.resume(returning: code) }
        }
    }

    private func ended(_ code: Int32) {
        let waiters = state.withLock { state in
            state.code = code
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: code) }
    }
}
