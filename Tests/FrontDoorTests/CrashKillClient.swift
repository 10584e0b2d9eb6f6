import TestSupport

/// One client with its memory.
struct CrashKillClient: Sendable {
    /// What it sent and what it was told, by app and id.
    struct Memory: Sendable {
        var sent: Set<String> = []
        var acknowledged: Set<String> = []
        /// Of them those that are events, too.
        var errors: Set<String> = []
        var issues: Set<String> = []
        var symbols: Set<String> = []
        var problems: [String] = []
    }

    /// A request that may be sent as often as it takes, since it does the same each time.
    private struct Work: Sendable {
        enum Kind { case crashes, errors, symbols, merge }

        var kind: Kind
        var ids: Set<String> = []
        var bytes: [UInt8]
    }

    let number: Int
    private let keys: AppKeys
    private var random: SeededGenerator
    private var next = 0
    private var unanswered: Work?
    private(set) var memory = Memory()

    var isUnanswered: Bool { unanswered != nil }

    init(number: Int, keys: AppKeys, seed: UInt64) {
        self.number = number
        self.keys = keys
        random = SeededGenerator(seed)
    }

    /// Works until the daemon is gone or so many requests were answered.
    mutating func work(_ door: Door, _ trigger: KillTrigger?, requests: Int) async {
        guard let connection = try? door.connect() else { return }
        var answered = 0
        while answered < requests || unanswered != nil {
            let work = unanswered ?? makeWork()
            unanswered = work
            memory.sent.formUnion(work.kind == .symbols ? [] : work.ids)
            do {
                try await connection.send(work.bytes)
                trigger?.requestBegins()
                note(try await connection.reply(), to: work)
                unanswered = nil
                answered += 1
            } catch {
                return
            }
        }
    }

    private func stored(_ id: String) -> String { "\(keys.app)/\(id)" }

    private mutating func note(_ reply: Reply, to work: Work) {
        // Two merges of the same issues at once are in each other's way.
        guard (200...201).contains(reply.status) || work.kind == .merge && [404, 409].contains(reply.status) else {
            memory.problems.append("\(work.kind) was answered with \(reply.status): \(reply.text.prefix(200))")
            return
        }
        switch work.kind {
        case .crashes, .errors:
            memory.acknowledged.formUnion(work.ids)
            if work.kind == .errors { memory.errors.formUnion(work.ids) }
            let taken = try? Taken(reply)
            if taken.map({ $0.accepted + $0.duplicates }) != work.ids.count { memory.problems.append("not all was taken: \(reply.text.prefix(200))") }
            let issues = ((try? JSON(reply)["results"].items) ?? []).map(\.["issue"].text)
            if work.kind == .crashes && issues.filter({ !$0.isEmpty }).count != work.ids.count { memory.problems.append("a crash has no issue") }
            memory.issues.formUnion(issues.filter { !$0.isEmpty }.map(stored))
        case .symbols: memory.symbols.formUnion(work.ids)
        case .merge: break
        }
    }

    // MARK: Requests

    private mutating func makeWork() -> Work {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: makeSymbols()
        case 1 where memory.issues.count > 1: makeMerge()
        case 2: makeCrashes(.errors)
        default: makeCrashes(.crashes)
        }
    }

    private mutating func makeCrashes(_ kind: Work.Kind) -> Work {
        let count = Bool.random(using: &random) ? 1 : Int.random(in: 2...50, using: &random)
        var ids: Set<String> = []
        var reports: [String] = []
        for _ in 0..<count {
            // Now and then one that was sent before; an id always stands for the same report, and for the same kind of it.
            let repeats = next > 0 && Int.random(in: 0..<8, using: &random) == 0
            let report = KillReport(client: number, number: repeats ? Int.random(in: 0..<next, using: &random) : next, isError: kind == .errors)
            if !repeats { next += 1 }
            if ids.insert(stored(report.id)).inserted { reports.append(report.json) }
        }
        let list = "[\(reports.joined(separator: ","))]"
        let (path, body) = kind == .errors ? ("/v1/events", list) : ("/v1/crashes", #"{"installation_id": "i\#(number)", "crashes": \#(list)}"#)
        let bytes = Door.bytes("POST", path, key: keys.ingest, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        return Work(kind: kind, ids: ids, bytes: bytes)
    }

    /// Symbols of one of few builds, each time in another file.
    private mutating func makeSymbols() -> Work {
        let build = Int.random(in: 0..<KillReport.builds, using: &random)
        let id = KillReport.debugID(build)
        let module = id.filter { $0 != "-" }.uppercased()
        let file = "MODULE Linux x86_64 \(module)0 Shop\nFUNC 10 20 0 function_\(build)\nPUBLIC 40 0 other_\(random.next() % 50)\n"
        return Work(kind: .symbols, ids: [stored(id)], bytes: Door.bytes("PUT", "/v1/symbols/\(id)", key: keys.admin, body: Array(file.utf8)))
    }

    private mutating func makeMerge() -> Work {
        let issues = memory.issues.sorted().shuffled(using: &random).prefix(2).map { $0.split(separator: "/")[1] }
        let bytes = Door.bytes(
            "POST", "/v1/issues/\(issues[0])/merge", key: keys.admin, headers: ["Content-Type": "application/json"],
            body: Array(#"{"issues": ["\#(issues[1])"]}"#.utf8))
        return Work(kind: .merge, bytes: bytes)
    }
}

/// A report, made of its number alone.
private struct KillReport {
    static let builds = 6

    let id: String
    let json: String

    init(client: Int, number: Int, isError: Bool) {
        // Ids of both kinds, and the same number is another report as an error.
        let digits = String(number, radix: 16)
        let kind = isError ? "e" : "c"
        id =
            number % 2 == 0
            ? "\(kind)\(client)-\(number)"
            : "0190b0c8-0000-7000-\(isError ? 9 : 8)00\(client)-" + String(repeating: "0", count: 12 - digits.count) + digits
        let person = #""user_id": "u\#(number % 20)""#
        json =
            isError
            ? #"{"id": "\#(id)", "name": "app_error", \#(person), "params": {"error_description": "Failure\#(number % 3): of \#(number)"}}"#
            : #"{"id": "\#(id)", \#(person), "release": "1.\#(number % 5)", "type": "Boom\#(number % 7)", "handled": \#(number % 4 == 0), \#(KillReport.stack(number))}"#
    }

    /// Two of three name their functions, the others wait for symbols.
    private static func stack(_ number: Int) -> String {
        guard number % 3 == 0 else { return #""frames": [{"function": "main"}, {"function": "f\#(number % 11)", "in_app": true}]"# }
        let build = number / 3 % builds
        return #"""
            "frames": [{"instruction_addr": "0x101\#(number % 8)", "image_addr": "0x1000", "in_app": true}],
            "images": [{"type": "elf", "debug_id": "\#(debugID(build))", "image_addr": "0x1000", "image_size": 4096, "code_file": "/app/Shop\#(build)"}]
            """#
    }

    static func debugID(_ build: Int) -> String { "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f\(build)" }
}
