import Glibc
import Synchronization
import TestSupport
import Testing

/// A daemon on a socket that outlives it.
struct PassedSocketTests {
    private static let event = #"[{"id": "waiting", "name": "a"}]"#
    private let folder = TemporaryFolder()

    @Test func `a request that comes between two daemons is answered by the next`() async throws {
        let socket = try PassedSocket()
        let first = try await DaemonProcess.start(in: folder.path, passing: socket.descriptor)
        #expect(first.door.port == socket.port)
        try await first.line(containing: "names=ingestd.socket")
        let keys = try await first.door.makeApp()
        #expect(await first.stop() == 0)

        let waiting = try first.door.connect()
        try await waiting.send(Door.bytes("POST", "/v1/events", key: keys.ingest, body: Array(Self.event.utf8)))
        let second = try await DaemonProcess.start(in: folder.path, passing: socket.descriptor)
        #expect(try Taken(await waiting.reply()) == Taken(accepted: 1))
        #expect(await second.stop() == 0)
    }

    @Test func `a daemon that drains leaves who comes then to the next`() async throws {
        let socket = try PassedSocket()
        let first = try await DaemonProcess.start(in: folder.path, passing: socket.descriptor)
        let keys = try await first.door.makeApp()
        let request = Door.bytes("POST", "/v1/events", key: keys.ingest, body: Array(Self.event.utf8))
        let (inFlight, also) = (try first.door.connect(), try first.door.connect())
        for connection in [inFlight, also] { try await connection.send(request.dropLast(3)) }
        // An answer on a connection after these shows that the daemon has read their beginnings.
        #expect(try await first.door.get("/healthz").status == 200)
        first.signal(SIGTERM)
        try await first.line(containing: "draining")
        try await inFlight.send(Array(request.suffix(3)))
        #expect(try Taken(await inFlight.reply()) == Taken(accepted: 1))
        // That came from a loop that drains; what comes now is for the next daemon.
        let late = try first.door.connect()
        try await late.send(request)
        try await also.send(Array(request.suffix(3)))
        #expect(try Taken(await also.reply()) == Taken(duplicates: 1))
        for connection in [inFlight, also] { await connection.close() }
        #expect(await first.exitCode() == 0)
        let second = try await DaemonProcess.start(in: folder.path, passing: socket.descriptor)
        #expect(try Taken(await late.reply()) == Taken(duplicates: 1))
        #expect(await second.stop() == 0)
    }

    @Test func `whoever posts over kept connections all the time meets no refusal, and nothing counts twice or not at all`() async throws {
        let socket = try PassedSocket()
        let first = try await DaemonProcess.start(in: folder.path, passing: socket.descriptor)
        let keys = try await first.door.makeApp()
        let answers = Answers(clients: 8)
        let clients = (0..<8).map { number in
            Task { [door = first.door] () async throws in
                var client = SteadyClient(door: door, key: keys.ingest, name: "client \(number)")
                while !Task.isCancelled {
                    try await client.post()
                    answers.add(to: number)
                }
            }
        }
        #expect(try await answers.goOn())
        var running = first
        for _ in 0..<5 {
            #expect(await running.stop() == 0)
            running = try await DaemonProcess.start(in: folder.path, passing: socket.descriptor)
            #expect(try await answers.goOn())
        }
        for client in clients { client.cancel() }
        for client in clients { try await client.value }
        let stored = try JSON(await running.door.get("/v1/query/series?event=a&from=-1h", key: keys.read))
        #expect(stored["series"][0]["total"].number == answers.current.reduce(0, +))
        #expect(await running.stop() == 0)
    }

    @Test func `a socket file is not taken for the public door`() async throws {
        // Who comes over a socket file counts as the operator of the machine.
        let socket = try PassedSocket(.listeningFile(folder.path + "/public.sock"))
        let ended = try await DaemonProcess.run(in: folder.path + "/data", passing: socket.descriptor)
        #expect(ended.code == 1 && ended.log.contains("descriptor 3") && ended.log.contains("no listening TCP socket"))
    }
}

/// How often each client was answered.
private final class Answers: Sendable {
    private let counts: Mutex<[Int]>

    init(clients: Int) {
        counts = Mutex([Int](repeating: 0, count: clients))
    }

    var current: [Int] { counts.withLock { $0 } }

    func add(to client: Int) {
        counts.withLock { $0[client] += 1 }
    }

    /// Waits until each was answered a few times more.
    func goOn() async throws -> Bool {
        let start = current
        return try await eventually { zip(self.current, start).allSatisfy { $0 >= $1 + 5 } }
    }
}

/// Posts event after event over a connection that it keeps for as long as it may; what gets no answer it sends again over another.
private struct SteadyClient {
    let door: Door
    let key: String
    let name: String
    private var number = 0
    private var connection: HTTPConnection?

    init(door: Door, key: String, name: String) {
        (self.door, self.key, self.name) = (door, key, name)
    }

    mutating func post() async throws {
        number += 1
        let bytes = Door.bytes("POST", "/v1/events", key: key, body: Array(#"[{"id": "\#(name), \#(number)", "name": "a"}]"#.utf8))
        while true {
            let open = try connection ?? door.connect()
            connection = nil
            // Ended between two requests.
            guard let reply = try? await open.exchange(bytes) else { continue }
            #expect(reply.status == 200, "\(reply.text)")
            if reply.headers["connection"] != "close" { connection = open }
            return
        }
    }
}
