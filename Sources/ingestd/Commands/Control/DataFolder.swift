// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import HTTPClient
import HTTPServer
import Platform
import AcrossStores

/// The data folder of an admin command. Only one process writes to it: the running daemon, or else this process for a moment.
struct DataFolder: Sendable {
    let configuration: Configuration
    private let paths: StorePaths
    private static let patience = Duration.seconds(5)
    private static let pause = Duration.milliseconds(50)

    init(_ arguments: Arguments) throws {
        let flags = arguments.one(Option.data.name).map { [ConfigurationFlag(Option.data.name, sets: "storage.directory", to: $0)] } ?? []
        configuration = try Configuration.load(file: arguments.one(Option.config.name), flags: flags)
        paths = StorePaths(root: configuration.storage.directory)
    }

    /// Does work through the running daemon, or through one in this process that listens on the control socket only.
    ///
    /// The work is repeated if a daemon starts or ends meanwhile, so it must be a single request that changes something, or any number of reads.
    func perform<T: Sendable>(making: Bool = false, _ work: @Sendable (ControlSocket) async throws -> T) async throws -> T {
        let socket = ControlSocket(path: paths.controlSocket)
        let end = ContinuousClock.now + DataFolder.patience
        // The limit of a Unix socket's address.
        guard socket.path.utf8.count <= 107 else { throw HTTPServerError.invalidAddress(socket.path) }
        if !making { try requireData() }
        while true {
            do { return try await work(socket) } catch is ControlSocket.NoDaemonError {}
            do {
                return try await alone(work, socket)
            } catch StoreError.locked {
                // A daemon or another command starts or ends.
                guard ContinuousClock.now < end else { throw stuck }
                try await Task.sleep(for: DataFolder.pause)
            }
        }
    }

    /// Does work through the running daemon. For what would end with this process.
    func performBesideDaemon<T: Sendable>(_ work: @Sendable (ControlSocket) async throws -> T) async throws -> T {
        try requireData()
        do { return try await work(ControlSocket(path: paths.controlSocket)) } catch is ControlSocket.NoDaemonError {
            throw Failure("No daemon runs with \(paths.root).", hint: "Start `ingestd serve`, then try again.")
        }
    }

    private func alone<T: Sendable>(_ work: @Sendable (ControlSocket) async throws -> T, _ socket: ControlSocket) async throws -> T {
        try DataFolder.rejectForeign(paths)
        let daemon = try Daemon(configuration, log: Log(level: .warning, format: configuration.log.format))
        let server = try daemon.makeServer(onlyControl: true)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await daemon.work(behind: server, sends: false) }
            let result: Result<T, any Error>
            do { result = .success(try await work(socket)) } catch { result = .failure(error) }
            daemon.beginDrain()
            try await group.waitForAll()
            return try result.get()
        }
    }

    /// Reading a folder must not create one.
    private func requireData() throws {
        let hint = "Name the folder with --data DIR; `ingestd serve` and `ingestd app create` make a new one."
        let names: [String]
        do throws(FileError) {
            names = try Folder.names(in: paths.root)
        } catch {
            throw error.isMissing ? Failure("There is no data folder \(paths.root).", hint: hint) : error
        }
        try paths.requireMainBesideData()
        guard names.contains("main.db") else { throw Failure("\(paths.root) contains no data of ingestd.", hint: hint) }
    }

    /// Prevents files of root that the daemon's user could not write.
    static func rejectForeign(_ paths: StorePaths) throws {
        guard OwnProcess.owns(paths.main) ?? OwnProcess.owns(paths.root) == false else { return }
        throw Failure("\(paths.root) belongs to another user.", hint: "Run the command as that user, or start the daemon first.")
    }

    private var stuck: Failure {
        Failure(
            "\(paths.root) is locked by another process, but no daemon answers at \(paths.controlSocket).",
            hint: "If a daemon is starting, try again in a moment.")
    }
}
