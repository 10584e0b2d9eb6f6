// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport

/// A client that sends crashes, errors and symbols, merges issues and remembers the responses.
struct CrashKillClient: FaultClient {
    /// An idempotent request.
    private struct Work: Sendable {
        enum Kind { case crashes, errors, symbols, merge, attached }

        var kind: Kind
        var ids: Set<String> = []
        var bytes: [UInt8]
    }

    private let number: Int
    private let keys: AppKeys
    private var random: SeededGenerator
    private var next = 0
    private var unanswered: Work?
    // The sent and acknowledged crashes by app and ID.
    private(set) var sent: Set<String> = []
    private var acknowledged: Set<String> = []
    /// Those that are events as well.
    private var errors: Set<String> = []
    private var issues: Set<String> = []
    private var symbols: Set<String> = []
    /// Crashes that were acknowledged with an attachment.
    private var attached: Set<String> = []
    private var problems: [String] = []

    var isUnanswered: Bool { unanswered != nil }

    init(number: Int, keys: AppKeys, seed: UInt64) {
        self.number = number
        self.keys = keys
        random = SeededGenerator(seed)
    }

    mutating func request() -> [UInt8] {
        let work = unanswered ?? makeWork()
        unanswered = work
        sent.formUnion(work.kind == .symbols ? [] : work.ids)
        return work.bytes
    }

    func problems(in folder: StoredFolder) -> [String] {
        problems + StoredFolder.lost(acknowledged, from: Set(folder.crashes.crashes.keys), "acknowledged crashes")
            + StoredFolder.lost(errors, from: Set(folder.events.ids.keys), "errors that are crashes")
            + StoredFolder.lost(issues, from: folder.crashes.issues, "acknowledged issues")
            + StoredFolder.lost(symbols, from: folder.crashes.symbols, "acknowledged symbols")
            + StoredFolder.lost(attached, from: folder.crashes.attached, "acknowledged attachments")
    }

    private func stored(_ id: String) -> String { "\(keys.app)/\(id)" }

    mutating func note(_ reply: Reply) {
        guard let work = unanswered else { return }
        unanswered = nil
        // Two concurrent merges of the same issues conflict.
        guard (200...201).contains(reply.status) || work.kind == .merge && [404, 409].contains(reply.status) else {
            problems.append("\(work.kind) got \(reply.status): \(reply.text.prefix(200))")
            return
        }
        switch work.kind {
        case .crashes, .errors: noteTaken(reply, work)
        case .symbols: symbols.formUnion(work.ids)
        case .attached:
            acknowledged.formUnion(work.ids)
            attached.formUnion(work.ids)
        case .merge: break
        }
    }

    private mutating func noteTaken(_ reply: Reply, _ work: Work) {
        acknowledged.formUnion(work.ids)
        if work.kind == .errors { errors.formUnion(work.ids) }
        let taken = try? Taken(reply)
        if taken.map({ $0.accepted + $0.duplicates }) != work.ids.count { problems.append("not everything was accepted: \(reply.text.prefix(200))") }
        let told = ((try? JSON(reply)["results"].items) ?? []).map(\.["issue"].text).filter { !$0.isEmpty }
        if work.kind == .crashes && told.count != work.ids.count { problems.append("a crash has no issue") }
        issues.formUnion(told.map(stored))
    }

    // MARK: Requests

    private mutating func makeWork() -> Work {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: makeSymbols()
        case 1 where issues.count > 1: makeMerge()
        case 2: makeCrashes(.errors)
        case 3: makeAttached()
        default: makeCrashes(.crashes)
        }
    }

    private mutating func makeCrashes(_ kind: Work.Kind) -> Work {
        let count = Bool.random(using: &random) ? 1 : Int.random(in: 2...50, using: &random)
        var ids: Set<String> = []
        var reports: [String] = []
        for _ in 0..<count {
            // Some reports repeat an earlier one. An ID always belongs to the same report and kind.
            let repeats = next > 0 && Int.random(in: 0..<8, using: &random) == 0
            let report = KillReport(client: number, number: repeats ? Int.random(in: 0..<next, using: &random) : next, isError: kind == .errors)
            if !repeats { next += 1 }
            if ids.insert(stored(report.id)).inserted { reports.append(report.json) }
        }
        let list = "[\(reports.joined(separator: ","))]"
        let (path, body) = kind == .errors ? ("/v1/events", list) : ("/v1/crashes", #"{"installation_id": "i\#(number)", "crashes": \#(list)}"#)
        let bytes = TestClient.bytes("POST", path, key: keys.ingest, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        return Work(kind: kind, ids: ids, bytes: bytes)
    }

    /// Symbols of one of a few builds, each time as another file.
    private mutating func makeSymbols() -> Work {
        let build = Int.random(in: 0..<KillReport.builds, using: &random)
        let id = KillReport.debugID(build)
        let module = id.filter { $0 != "-" }.uppercased()
        let file = "MODULE Linux x86_64 \(module)0 Shop\nFUNC 10 20 0 function_\(build)\nPUBLIC 40 0 other_\(random.next() % 50)\n"
        return Work(kind: .symbols, ids: [stored(id)], bytes: TestClient.bytes("PUT", "/v1/symbols/\(id)", key: keys.admin, body: Array(file.utf8)))
    }

    /// An envelope of a crash and a file.
    private mutating func makeAttached() -> Work {
        let digits = String(next, radix: 16)
        let id = "0190b0c8-0000-7000-a00\(number)-" + String(repeating: "0", count: 12 - digits.count) + digits
        next += 1
        let file = String(repeating: "\(random.next()) ", count: 2_000)
        let text =
            "{\"event_id\":\"\(id)\"}\n{\"type\":\"event\"}\n{\"message\":\"m\",\"user\":{\"id\":\"u\(next % 20)\"}}\n"
            + "{\"type\":\"attachment\",\"length\":\(file.utf8.count),\"filename\":\"f.log\"}\n\(file)\n"
        let bytes = TestClient.bytes("POST", "/api/\(keys.app)/envelope/", key: keys.ingest, body: Array(text.utf8))
        return Work(kind: .attached, ids: [stored(id)], bytes: bytes)
    }

    private mutating func makeMerge() -> Work {
        let issues = issues.sorted().shuffled(using: &random).prefix(2).map { $0.split(separator: "/")[1] }
        let bytes = TestClient.bytes(
            "POST", "/v1/issues/\(issues[0])/merge", key: keys.admin, headers: ["Content-Type": "application/json"],
            body: Array(#"{"issues": ["\#(issues[1])"]}"#.utf8))
        return Work(kind: .merge, bytes: bytes)
    }
}

/// A report derived from its number.
private struct KillReport {
    static let builds = 6

    let id: String
    let json: String

    init(client: Int, number: Int, isError: Bool) {
        // IDs of both kinds; an error with the same number is another report.
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

    /// Two of three stacks have function names, the others need symbols.
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
