import HTTPClient
import HTTPServer
import Platform
import Store

/// The way of an admin command to the store: through the control socket of the running daemon, or of one that lives for this command.
struct Control: Sendable {
    private let socket: String

    /// Never opens the store of a running daemon: whoever holds the lock does the work.
    static func run<T: Sendable>(_ configuration: Configuration, create: Bool = false, _ body: @Sendable (Control) async throws -> T) async throws
        -> T
    {
        let paths = StorePaths(root: configuration.storage.directory)
        guard create || Folder.exists(paths.main) else {
            throw CommandFailure(
                message: "There is no data in \(paths.root).",
                hint: "Name the data folder with --data, or make a first app with `ingestd app create`.")
        }
        let control = Control(socket: paths.controlSocket)
        if await control.answers() { return try await body(control) }
        do {
            return try await withOwnDaemon(configuration, control, body)
        } catch StoreError.locked {
            // A daemon that is just starting, or ending: it holds the lock, and its socket comes or the lock goes within a moment.
            for _ in 0..<50 {
                if await control.answers() { return try await body(control) }
                try await Task.sleep(for: .milliseconds(100))
            }
            throw StoreError.locked(path: paths.root)
        }
    }

    private static func withOwnDaemon<T: Sendable>(
        _ configuration: Configuration, _ control: Control, _ body: @Sendable (Control) async throws -> T
    ) async throws -> T {
        let daemon = try Daemon(configuration, log: Log(level: .error))
        let server = try daemon.makeServer(onlyControl: true)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await daemon.store.run() }
            group.addTask {
                try await server.run()
                daemon.store.close()
            }
            let result: Result<T, any Error>
            do { result = .success(try await body(control)) } catch { result = .failure(error) }
            daemon.drain()
            try await group.waitForAll()
            return try result.get()
        }
    }

    private func answers() async -> Bool {
        guard Folder.exists(socket) else { return false }
        return (try? await HTTPClient().request(request("GET", "/healthz", nil)).status) == 200
    }

    /// The answer's body; a refusal becomes this command's failure.
    @discardableResult
    func ask(_ method: String, _ path: String, _ body: [UInt8]? = nil) async throws -> [UInt8] {
        var request = request(method, path, body)
        request.timeout = .seconds(3_600)
        let response = try await HTTPClient().request(request)
        try Control.check(response.status, response.body)
        return response.body
    }

    /// Hands the answer on as it comes.
    func stream(_ path: String, _ take: @escaping @Sendable ([UInt8]) throws -> Void) async throws {
        let response = try await HTTPClient().stream(request("GET", path, nil), onBytes: take)
        try Control.check(response.status, response.body)
    }

    private func request(_ method: String, _ path: String, _ body: [UInt8]?) -> HTTPClientRequest {
        HTTPClientRequest(method, "http://localhost" + path, unixSocketPath: socket, headers: [("Content-Type", "application/json")], body: body)
    }

    private static func check(_ status: Int, _ body: [UInt8]) throws {
        guard !(200..<300).contains(status) else { return }
        let problem = try Body(body)
        throw CommandFailure(message: try problem.text("detail"), hint: try problem.optionalText("hint"))
    }
}

/// Percent-encoding of one piece of a path or query.
enum PercentEncoding {
    static func encode(_ text: String) -> String {
        var out = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: out.unicodeScalars.append(Unicode.Scalar(byte))
            default: out += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return out
    }
}
