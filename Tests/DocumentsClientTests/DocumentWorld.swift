// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import TestSupport
import Testing

@testable import SignalboxDocuments

/// A daemon with an app whose rules allow most things, and a network to it that a test can cut.
final class DocumentWorld: Sendable {
    let keys: AppKeys
    let appFolder = TemporaryFolder()
    private let folder: TemporaryFolder
    private let running: Locked<DaemonProcess>
    let network: Forwarder

    static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /{path=**} { allow read, write; }
          }
        }
        """

    static let someRules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /open/{id} { allow read; allow write: if request.resource.data.n < 100; }
          }
        }
        """

    static func start(rules: String = rules, _ environment: [String: String] = [:]) async throws -> DocumentWorld {
        let folder = try await StartedFolder.copy()
        let daemon = try await DaemonProcess.start(in: folder.path, environment: environment)
        let world = DocumentWorld(folder, daemon, try await daemon.api.makeApp(), try Forwarder(to: daemon.api.port))
        try await world.set(rules: rules)
        return world
    }

    private init(_ folder: TemporaryFolder, _ daemon: DaemonProcess, _ keys: AppKeys, _ network: Forwarder) {
        (self.folder, self.keys, self.network) = (folder, keys, network)
        running = Locked(daemon)
    }

    var daemon: DaemonProcess { running.withLock { $0 } }
    var api: TestClient { daemon.api }

    func restart(_ environment: [String: String] = [:]) async throws {
        let listen = ["INGESTD_SERVER_LISTEN": "127.0.0.1:\(api.port)"]
        let daemon = try await DaemonProcess.start(in: folder.path, environment: environment.merging(listen) { $1 })
        running.withLock { $0 = daemon }
    }

    func set(rules: String) async throws {
        let source = rules.replacing("\n", with: "\\n")
        let body = Array(#"{"source": "\#(source)"}"#.utf8)
        let reply = try await api.request(
            "PUT", "/v1/documents:rules", key: keys.admin, headers: ["Content-Type": "application/json"], body: body)
        #expect(reply.status == 200, "\(reply.text)")
    }

    /// Options of one device: its own folder, and pauses that suit a test.
    func options(_ device: String = "phone", user: String? = nil) throws -> DocumentOptions {
        var options = DocumentOptions(address: try #require(URL(string: "http://127.0.0.1:\(network.port)")), key: keys.ingest)
        options.folder = URL(fileURLWithPath: appFolder.path).appendingPathComponent(device)
        options.user = user
        options.backoff = Backoff(first: 0.02, longest: 0.1)
        return options
    }

    func device(_ name: String = "phone", _ change: (inout DocumentOptions) -> Void = { _ in }) throws -> Documents {
        var options = try options(name)
        change(&options)
        return try Documents(options)
    }

    /// Makes writes as a server does.
    func commit(_ writes: String) async throws {
        let reply = try await api.post("/v1/documents:commit", key: keys.admin, #"{"writes": [\#(writes)]}"#)
        #expect(reply.status == 200, "\(reply.text)")
    }

    /// A document as a server reads it.
    func fields(_ path: String) async throws -> JSON {
        let reply = try await api.post("/v1/documents:get", key: keys.admin, #"{"paths": ["\#(path)"]}"#)
        return try JSON(reply)["documents"][0]["fields"]
    }

    /// The number of requests that the daemon has answered on a route.
    func requests(to route: String, status: Int) async -> Int {
        await daemon.readLog()
        return daemon.loggedLines.filter { $0.contains("route=\(route) status=\(status) ") }.count
    }
}

/// The snapshots that a listener got.
final class Watched<Snapshot: Sendable>: Sendable {
    private let list = Locked<[Snapshot]>([])
    private let failure = Locked<(any Error)?>(nil)
    let task = Locked<Task<Void, Never>?>(nil)

    init(_ stream: AsyncThrowingStream<Snapshot, any Error>) {
        let (list, failure) = (list, failure)
        let reading = Task {
            do { for try await snapshot in stream { list.withLock { $0.append(snapshot) } } } catch { failure.withLock { $0 = error } }
        }
        task.withLock { $0 = reading }
    }

    init(_ stream: AsyncStream<Snapshot>) {
        let list = list
        let reading = Task { for await snapshot in stream { list.withLock { $0.append(snapshot) } } }
        task.withLock { $0 = reading }
    }

    var all: [Snapshot] { list.withLock { $0 } }
    var last: Snapshot? { all.last }
    var error: DocumentError? { failure.withLock { $0 as? DocumentError } }

    func stop() async {
        let reading = task.withLock { $0 }
        reading?.cancel()
        await reading?.value
    }
}

extension QuerySnapshot {
    var ids: [String] { documents.map(\.id) }
}
