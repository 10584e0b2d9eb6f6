import Glibc
import Platform
import Synchronization
import TestSupport

/// Clients that post to a daemon which is killed again and again, retry what was not answered, and remember what they were told.
struct KillScenario {
    /// Made anew for each run; a fixed one repeats a run.
    let seed: UInt64
    let rounds: Int
    private let folder = TemporaryFolder()
    private var clients: [KillClient] = []
    private var random: SeededGenerator
    private static let clientCount = 4

    init(rounds: Int, seed: UInt64) {
        self.rounds = rounds
        self.seed = seed
        random = SeededGenerator(seed)
    }

    /// Kills the daemon once a round; then lets every client finish and ends the daemon in peace. Answers what is wrong, in words.
    mutating func run(report: (String) -> Void = { _ in }) async throws -> [String] {
        for round in 1...rounds {
            let child = try await DaemonProcess.start(in: folder.path)
            if clients.isEmpty { try await makeClients(child) }
            let trigger = KillTrigger(child, after: Int.random(in: 1...40, using: &random))
            await work(child, trigger, requests: .max)
            await child.killHard()
            if round % 10 == 0 {
                let stored = clients.reduce(0) { $0 + $1.acknowledged.count }
                report("round \(round) of \(rounds): \(stored) events acknowledged, \(try Recount(of: folder.path).problems.count) problems")
            }
        }
        let child = try await DaemonProcess.start(in: folder.path)
        await work(child, nil, requests: 3)
        let code = await child.stop()
        return try judge(code)
    }

    private mutating func makeClients(_ child: DaemonProcess) async throws {
        let apps = [try await child.door.makeApp("one"), try await child.door.makeApp("two")]
        clients = (0..<KillScenario.clientCount).map { KillClient(number: $0, keys: apps[$0 % apps.count], seed: random.next()) }
    }

    private mutating func work(_ child: DaemonProcess, _ trigger: KillTrigger?, requests: Int) async {
        clients = await withTaskGroup(of: KillClient.self) { group in
            for client in clients {
                group.addTask {
                    var client = client
                    await client.work(child.door, trigger, requests: requests)
                    return client
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func judge(_ code: Int32) throws -> [String] {
        let recount = try Recount(of: folder.path)
        var problems = recount.problems
        if code != 0 { problems.append("the daemon ended with \(code)") }
        for client in clients {
            problems += client.problems
            if client.isUnanswered { problems.append("client \(client.number) was not answered in the end") }
            let lost = client.acknowledged.filter { recount.ids[$0] == nil }
            if !lost.isEmpty { problems.append("\(lost.count) acknowledged events are lost, such as \(lost.first ?? "")") }
            let uninvited = client.refused.filter { recount.ids[$0] != nil }
            if !uninvited.isEmpty { problems.append("\(uninvited.count) events are stored against their answer") }
        }
        let sent = clients.reduce(into: Set<String>()) { $0.formUnion($1.sent) }
        let strangers = recount.ids.keys.filter { !sent.contains($0) }
        if !strangers.isEmpty { problems.append("\(strangers.count) events were never sent") }
        return problems
    }
}

/// Kills the daemon in the middle of the work: when so many requests have begun.
final class KillTrigger: Sendable {
    private let left: Mutex<Int>
    private let child: DaemonProcess

    init(_ child: DaemonProcess, after requests: Int) {
        self.child = child
        left = Mutex(requests)
    }

    func requestBegins() {
        let isDue = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isDue { child.signal(SIGKILL) }
    }
}

/// One client with its memory.
struct KillClient: Sendable {
    let number: Int
    private let keys: AppKeys
    private var random: SeededGenerator
    private var next = 0
    private var unanswered: KillRequest?
    /// By app and id: told to be stored, or to be another's transaction.
    private(set) var acknowledged: Set<String> = []
    private(set) var refused: Set<String> = []
    private(set) var sent: Set<String> = []
    private(set) var problems: [String] = []

    var isUnanswered: Bool { unanswered != nil }

    init(number: Int, keys: AppKeys, seed: UInt64) {
        self.number = number
        self.keys = keys
        random = SeededGenerator(seed)
    }

    /// Posts until the daemon is gone or so many requests were answered.
    mutating func work(_ door: Door, _ trigger: KillTrigger?, requests: Int) async {
        guard let connection = try? door.connect() else { return }
        var answered = 0
        while answered < requests || unanswered != nil {
            let request = unanswered ?? makeRequest()
            unanswered = request
            sent.formUnion(request.ids.map(stored))
            do {
                try await connection.send(Door.bytes("POST", "/v1/events", key: keys.ingest, body: Array(request.body.utf8)))
                trigger?.requestBegins()
                note(try await connection.reply(), to: request)
                unanswered = nil
                answered += 1
            } catch {
                return
            }
        }
    }

    private func stored(_ id: String) -> String { "\(keys.app)/\(id)" }

    private mutating func note(_ reply: Reply, to request: KillRequest) {
        guard reply.status == 200, let results = try? JSON(reply)["results"].items else {
            problems.append("a request was answered with \(reply.status): \(reply.text.prefix(200))")
            return
        }
        let refusedHere = Set(results.filter { $0["code"].text == "transaction_duplicate" }.map(\.["id"].text))
        refused.formUnion(refusedHere.map(stored))
        acknowledged.formUnion(request.ids.filter { !refusedHere.contains($0) }.map(stored))
        for result in results where result["result"].text == "quarantined" { problems.append("an event was quarantined: \(result["message"].text)") }
    }

    // MARK: Requests

    private mutating func makeRequest() -> KillRequest {
        let count = Bool.random(using: &random) ? 1 : Int.random(in: 2...200, using: &random)
        var request = KillRequest()
        for _ in 0..<count {
            // Now and then an id that was sent before, in this request or long ago; an id always stands for the same event.
            let repeats = next > 0 && Int.random(in: 0..<8, using: &random) == 0
            let event = repeats ? Int.random(in: 0..<next, using: &random) : next
            if !repeats { next += 1 }
            request.add(id: id(of: event), event: KillEvent(client: number, number: event))
        }
        return request
    }

    private func id(of event: Int) -> String {
        if event % 2 == 0 { return "c\(number)-\(event)" }
        let digits = String(event, radix: 16)
        return "0190b0c8-0000-7000-800\(number)-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}

/// A request's body with the ids in it.
struct KillRequest: Sendable {
    private(set) var ids: Set<String> = []
    private var events: [String] = []

    var body: String { "[\(events.joined(separator: ","))]" }

    mutating func add(id: String, event: KillEvent) {
        ids.insert(id)
        events.append(event.json(id: id))
    }
}

/// The content of an event, made of its number alone.
struct KillEvent {
    private var random: SeededGenerator
    private let number: Int

    init(client: Int, number: Int) {
        random = SeededGenerator(UInt64(client) << 32 | UInt64(number))
        self.number = number
    }

    func json(id: String) -> String {
        var random = random
        let person = Int.random(in: 0..<50, using: &random)
        // Persons with an installation, a user, both and neither.
        var fields = [#""id": "\#(id)""#]
        if person % 4 != 0 { fields.append(#""installation_id": "i\#(person)", "session_id": "s\#(person)""#) }
        if person % 4 > 1 { fields.append(#""user_id": "u\#(person)""#) }
        if Int.random(in: 0..<3, using: &random) == 0 {
            let age = Int.random(in: 0..<80 * 86_400, using: &random)
            fields.append(#""timestamp": \#(KillEvent.start - age)"#)
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: fields.append(#""name": "screen_view", "params": {"screen_name": "Screen \#(number % 7)"}"#)
        // Few transactions, so that two events often claim the same one.
        case 1: fields.append(#""name": "purchase", "params": {"transaction_id": "t\#(number / 3)", "value": \#(number % 90).25, "currency": "EUR"}"#)
        case 2: fields.append(#""name": "refund", "params": {"transaction_id": "t\#(number / 3)", "value": "1.10", "currency": "USD"}"#)
        default: fields.append(#""name": "event_\#(number % 11)", "params": {"n": \#(number)}"#)
        }
        return "{\(fields.joined(separator: ", "))}"
    }

    /// When this run began, so that an event says the same each time it is sent.
    private static let start = Int(WallClock.system.now().milliseconds / 1_000)
}
