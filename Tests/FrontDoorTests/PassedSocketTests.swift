// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// A daemon on a socket from the service manager, which stays open across restarts.
struct PassedSocketTests {
    private static let event = #"[{"id": "waiting", "name": "a"}]"#
    private let folder = TemporaryFolder()

    @Test func `a request between two daemons is answered by the next one`() async throws {
        let socket = try PassedSocket()
        let first = try await DaemonProcess.start(in: folder.path, passing: socket.descriptor)
        #expect(first.api.port == socket.port)
        try await first.line(containing: "names=ingestd.socket")
        let keys = try await first.api.makeApp()
        #expect(await first.stop() == 0)

        let waiting = try first.api.connect()
        try await waiting.send(TestClient.bytes("POST", "/v1/events", key: keys.ingest, body: Array(Self.event.utf8)))
        let second = try await DaemonProcess.start(in: folder.path, passing: socket.descriptor)
        #expect(try Taken(await waiting.reply()) == Taken(accepted: 1))
        #expect(await second.stop() == 0)
    }

    @Test func `a draining daemon leaves new connections to the next one`() async throws {
        let socket = try PassedSocket()
        let first = try await DaemonProcess.start(in: folder.path, passing: socket.descriptor)
        let keys = try await first.api.makeApp()
        let request = TestClient.bytes("POST", "/v1/events", key: keys.ingest, body: Array(Self.event.utf8))
        let (inFlight, also) = (try first.api.connect(), try first.api.connect())
        for connection in [inFlight, also] { try await connection.send(request.dropLast(3)) }
        // A response on a later connection shows that the daemon has read the beginnings of these requests.
        #expect(try await first.api.get("/healthz").status == 200)
        first.signal(SIGTERM)
        try await first.line(containing: "draining")
        try await inFlight.send(Array(request.suffix(3)))
        #expect(try Taken(await inFlight.reply()) == Taken(accepted: 1))
        // The responding loop is draining, so new connections stay for the next daemon.
        let late = try first.api.connect()
        try await late.send(request)
        try await also.send(Array(request.suffix(3)))
        #expect(try Taken(await also.reply()) == Taken(duplicates: 1))
        for connection in [inFlight, also] { await connection.close() }
        #expect(await first.exitCode() == 0)
        let second = try await DaemonProcess.start(in: folder.path, passing: socket.descriptor)
        #expect(try Taken(await late.reply()) == Taken(duplicates: 1))
        #expect(await second.stop() == 0)
    }

    @Test func `open connections are served while draining`() async throws {
        let socket = try PassedSocket()
        let daemon = try await DaemonProcess.start(in: folder.path, passing: socket.descriptor)
        let keys = try await daemon.api.makeApp()
        let request = TestClient.bytes("POST", "/v1/events", key: keys.ingest, body: Array(Self.event.utf8))
        let begun = try daemon.api.connect()
        try await begun.send(request.prefix(20))
        #expect(try await daemon.api.get("/healthz").status == 200)
        daemon.signal(SIGTERM)
        try await daemon.line(containing: "draining")
        try await begun.send(Array(request.dropFirst(20)))
        #expect(try Taken(await begun.reply()) == Taken(accepted: 1))
        await begun.close()
        #expect(await daemon.exitCode() == 0)
    }

    @Test func `a passed Unix socket is a proxy's socket without operator rights`() async throws {
        let path = folder.path + "/public.sock"
        let socket = try PassedSocket(.listeningFile(path))
        for _ in 0..<2 {
            let daemon = try await DaemonProcess.start(in: folder.path + "/data", passing: socket.descriptor)
            try await daemon.line(containing: "address=unix:\(path)")
            for (target, status) in [("/healthz", 200), ("/v1/apps", 404), ("/metrics", 401)] {
                #expect(try await HTTPConnection(.file(path)).exchange(TestClient.bytes("GET", target)).status == status)
            }
            #expect(try await daemon.api.asOperator("GET", "/v1/apps").status == 200)
            // The daemon does not remove the file, so the next one can use it.
            #expect(await daemon.stop() == 0)
        }
    }

    @Test func `a datagram socket is rejected`() async throws {
        let socket = try PassedSocket(.datagramFile(folder.path + "/public.sock"))
        let ended = try await DaemonProcess.run(in: folder.path + "/data", passing: socket.descriptor)
        #expect(ended.code == 1 && ended.log.contains("descriptor 3") && ended.log.contains("not a listening stream socket"))
    }
}
