// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The daemon as a child process, for requests, signals and kills.
package final class DaemonProcess: Sendable {
    package enum Failure: Error {
        /// The daemon ended or closed its log before the expected line.
        case endedBefore(String, log: String)
    }

    package let api: TestClient
    private let child: ChildProcess
    private let log: LineReader

    /// Starts the daemon and waits until it serves, optionally with a passed socket as a service manager does.
    package static func start(
        in folder: String, environment: [String: String] = [:], configuration: String? = nil, passing socket: Int32? = nil
    ) async throws -> DaemonProcess {
        let (child, log) = try launch(in: folder, environment: environment, configuration: configuration, passing: socket)
        let line = try await log.line { $0.contains("serving") }
        return DaemonProcess(child, log, port: port(in: line), folder: folder)
    }

    /// Starts the daemon where it is expected to fail. Returns its exit code and log.
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
        api = TestClient(port: port, controlSocket: folder + "/control.sock")
    }

    package var pid: Int32 { child.pid }

    package func signal(_ number: Int32) {
        child.signal(number)
    }

    /// Returns the exit code, or 128 plus the signal's number.
    package func exitCode() async -> Int32 {
        await child.exitCode()
    }

    /// Kills the daemon with SIGKILL.
    package func killHard() async {
        signal(SIGKILL)
        _ = await exitCode()
    }

    /// Terminates the daemon as a service manager does.
    package func stop() async -> Int32 {
        signal(SIGTERM)
        return await exitCode()
    }

    /// Returns a matching line of the log, past or future.
    @discardableResult
    package func line(containing text: String) async throws -> String {
        try await log.line { $0.contains(text) }
    }

    /// The log so far.
    package var loggedLines: [String] { log.lines }

    /// Returns once the lines about all requests that were answered before are among the log so far, or if the daemon has ended.
    package func readLog() async {
        // A line is written before its response is sent.
        guard let id = try? await api.get("/healthz").headers["x-request-id"] else { return }
        _ = try? await line(containing: "id=\(id)")
    }

    /// Returns the whole log, after the daemon has ended.
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

    /// Builds the command line, in this place only.
    private static func arguments(_ configuration: String?) -> [String] {
        ["serve"] + (configuration.map { ["--config", $0] } ?? [])
    }

    private static func launch(
        in folder: String, environment: [String: String], configuration: String?, passing socket: Int32?
    ) throws -> (ChildProcess, LineReader) {
        var variables = ["INGESTD_STORAGE_DIRECTORY": folder, "INGESTD_SERVER_LISTEN": "127.0.0.1:0"]
        // Environment variables override the configuration file.
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

    /// A shell command that passes its standard input as descriptor 3, where passed sockets start, and then executes the daemon.
    private static let passing = #"exec 3<&0 0</dev/null; export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=ingestd.socket; exec "$0" "$@""#

    private static func port(in line: String) -> UInt16 {
        line.split(separator: " ").first { $0.hasPrefix("address=") }?.split(separator: ":").last.flatMap { UInt16($0.filter(\.isNumber)) } ?? 0
    }
}
