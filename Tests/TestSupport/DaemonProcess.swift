// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The daemon's own program as a child of this process: to be asked, signalled and killed.
package final class DaemonProcess: Sendable {
    package enum Failure: Error {
        /// It ended, or closed its log, without the line that was waited for.
        case endedBefore(String, log: String)
    }

    package let door: Door
    private let child: ChildProcess
    private let log: LineReader

    /// Starts the program and waits until it serves; as a service manager does with a socket to pass.
    package static func start(
        in folder: String, environment: [String: String] = [:], configuration: String? = nil, passing socket: Int32? = nil
    ) async throws -> DaemonProcess {
        let (child, log) = try launch(in: folder, environment: environment, configuration: configuration, passing: socket)
        let line = try await log.line { $0.contains("serving") }
        return DaemonProcess(child, log, port: port(in: line), folder: folder)
    }

    /// Starts the program where it is expected not to serve; answers how it ended and what it said.
    package static func run(
        in folder: String, environment: [String: String] = [:], configuration: String? = nil, passing socket: Int32? = nil
    ) async throws -> (code: Int32, log: String) {
        let (child, log) = try launch(in: folder, environment: environment, configuration: configuration, passing: socket)
        let code = await child.exitCode()
        return (code, await log.whole())
    }

    private init(_ child: ChildProcess, _ log: LineReader, port: UInt16, folder: String) {
        self.child = child
        self.log = log
        door = Door(port: port, controlSocket: folder + "/control.sock")
    }

    package var pid: Int32 { child.pid }

    package func signal(_ number: Int32) {
        child.signal(number)
    }

    /// How it ended: its code, or 128 and the signal's number.
    package func exitCode() async -> Int32 {
        await child.exitCode()
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

    /// What it has written to its log so far.
    package var loggedLines: [String] { log.lines }

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

    /// The one place that knows the command line.
    private static func arguments(_ configuration: String?) -> [String] {
        ["serve"] + (configuration.map { ["--config", $0] } ?? [])
    }

    private static func launch(
        in folder: String, environment: [String: String], configuration: String?, passing socket: Int32?
    ) throws -> (ChildProcess, LineReader) {
        var variables = ["INGESTD_STORAGE_DIRECTORY": folder, "INGESTD_SERVER_LISTEN": "127.0.0.1:0"]
        // What the environment says a file cannot change any more.
        if configuration == nil { variables["INGESTD_LOG_LEVEL"] = "debug" }
        variables.merge(environment) { $1 }
        let log = try ChildProcess.pipe()
        defer { close(log.writing) }
        let child =
            if let socket {
                try ChildProcess(
                    "/bin/sh", ["-c", passing, ProgramUnderTest.ingestd.path] + arguments(configuration), environment: variables, input: socket,
                    complaints: log.writing)
            } else {
                try ProgramUnderTest.ingestd.start(arguments(configuration), environment: variables, complaints: log.writing)
            }
        return (child, LineReader(log.reading))
    }

    /// A shell that becomes the daemon, with what it has as its standard input where passed sockets begin.
    private static let passing = #"exec 3<&0 0</dev/null; export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=ingestd.socket; exec "$0" "$@""#

    private static func port(in line: String) -> UInt16 {
        line.split(separator: " ").first { $0.hasPrefix("address=") }?.split(separator: ":").last.flatMap { UInt16($0.filter(\.isNumber)) } ?? 0
    }
}
