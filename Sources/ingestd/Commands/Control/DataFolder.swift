// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import HTTPClient
import HTTPServer
import Platform
import AcrossStores

/// A data folder as an admin command sees it. Only one process writes to it: the daemon that runs, or else this one for a moment.
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

    /// Does some work through the running daemon, or through one in this process that serves nobody else.
    ///
    /// The work is begun again where a daemon came or went meanwhile, so it must be one request that changes something, or any number that do not.
    func perform<T: Sendable>(making: Bool = false, _ work: @Sendable (ControlSocket) async throws -> T) async throws -> T {
        let socket = ControlSocket(path: paths.controlSocket)
        let end = ContinuousClock.now + DataFolder.patience
        // The address of a socket has no room for more.
        guard socket.path.utf8.count <= 107 else { throw HTTPServerError.invalidAddress(socket.path) }
        if !making { try requireData() }
        while true {
            do { return try await work(socket) } catch is ControlSocket.NobodyThere {}
            do {
                return try await alone(work, socket)
            } catch StoreError.locked {
                // A daemon or another command is just coming or going.
                guard ContinuousClock.now < end else { throw stuck }
                try await Task.sleep(for: DataFolder.pause)
            }
        }
    }

    private func alone<T: Sendable>(_ work: @Sendable (ControlSocket) async throws -> T, _ socket: ControlSocket) async throws -> T {
        try DataFolder.refuseForeign(paths)
        let daemon = try Daemon(configuration, log: Log(level: .warning, format: configuration.log.format))
        let server = try daemon.makeServer(onlyControl: true)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await daemon.work(behind: server, sends: false) }
            let result: Result<T, any Error>
            do { result = .success(try await work(socket)) } catch { result = .failure(error) }
            daemon.drain()
            try await group.waitForAll()
            return try result.get()
        }
    }

    /// Looking at a folder must not make one.
    private func requireData() throws {
        let hint = "Name the folder with --data DIR; `ingestd serve` and `ingestd app create` make a new one."
        let names: [String]
        do throws(FileError) {
            names = try Folder.names(in: paths.root)
        } catch {
            throw error.isMissing ? Failure("There is no data folder \(paths.root).", hint: hint) : error
        }
        try paths.requireMainBesideData()
        guard names.contains("main.db") else { throw Failure("\(paths.root) holds no data of ingestd.", hint: hint) }
    }

    /// Files made by root would lock the daemon's own user out.
    static func refuseForeign(_ paths: StorePaths) throws {
        guard OwnProcess.owns(paths.main) ?? OwnProcess.owns(paths.root) == false else { return }
        throw Failure("\(paths.root) belongs to another user.", hint: "Run this as that user, or start the daemon first.")
    }

    private var stuck: Failure {
        Failure(
            "\(paths.root) is in use by another process, but nobody answers at \(paths.controlSocket).",
            hint: "Where a daemon is starting, try again in a moment.")
    }
}
