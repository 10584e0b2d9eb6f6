import Foundation
import HTTPClient
import Synchronization
import TestSupport
import Testing

/// A daemon at work on a folder; killed with the test, if it was not stopped.
final class RunningDaemon: Sendable {
    let port: Int
    private let id: Int32
    private let exit: ExitCode
    private let log: LogLines

    /// Waits until it serves; the environment may set it up.
    static func start(on data: String, arguments: [String] = [], environment: [String: String] = [:]) async throws -> RunningDaemon {
        let process = Program.process(
            ["serve", "--data", data, "--listen", "127.0.0.1:0"] + arguments, in: "/", environment)
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        let exit = try ExitCode(of: process)
        let log = LogLines(pipe)
        let line = try #require(await log.first(with: "msg=serving"))
        let port = line.split(separator: " ").first { $0.hasPrefix("address=") }?.split(separator: ":").last
        return RunningDaemon(process.processIdentifier, try #require(port.flatMap { Int($0) }), exit, log)
    }

    private init(_ id: Int32, _ port: Int, _ exit: ExitCode, _ log: LogLines) {
        self.id = id
        self.port = port
        self.exit = exit
        self.log = log
    }

    deinit {
        // Its end is only waited for by the library, which leaves an ended process alone.
        kill(id, SIGKILL)
    }

    func stop(_ signal: Int32 = SIGTERM) async -> Int32 {
        kill(id, signal)
        return await exit.value()
    }

    /// Asks over TCP, as a client does.
    func ask(_ method: String, _ target: String, key: String, body: String? = nil) async throws -> (status: Int, body: String) {
        let headers = [("Authorization", "Bearer \(key)"), ("Content-Type", "application/json")]
        let response = try await HTTPClient().request(
            HTTPClientRequest(method, "http://127.0.0.1:\(port)\(target)", headers: headers, body: body.map { Array($0.utf8) }))
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }

    /// Stores as many events as there are names.
    func take(_ names: [String], key: String, user: String = "anna") async throws {
        let events = names.map { "{\"name\":\"\($0)\",\"user_id\":\"\(user)\",\"params\":{\"text\":\"\(String(repeating: "x", count: 80))\"}}" }
        let response = try await ask("POST", "/v1/events", key: key, body: "[\(events.joined(separator: ","))]")
        try #require(response.status == 200 && response.body.contains("\"accepted\":\(names.count),"), "\(response.body.prefix(500))")
    }
}

/// The lines a process writes, read as they come so that it never waits for us.
private final class LogLines: Sendable {
    private let lines: AsyncStream<String>

    init(_ pipe: Pipe) {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        self.lines = lines
        let rest = Mutex<[UInt8]>([])
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                return continuation.finish()
            }
            for line in rest.withLock({ LogLines.split(&$0, data) }) { continuation.yield(line) }
        }
    }

    func first(with text: String) async -> String? {
        await lines.first { $0.contains(text) }
    }

    private static func split(_ rest: inout [UInt8], _ data: Data) -> [String] {
        rest += data
        var parts = rest.split(separator: 0x0a, omittingEmptySubsequences: false)
        rest = Array(parts.removeLast())
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }
}
