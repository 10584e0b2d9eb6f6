// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel
import Testing

@testable import Listening

/// A store of documents with all its versions, readers that answer late, and clients that apply events. After each event a client's
/// results must be those of the event's commit.
struct ListeningWorld {
    private struct Client {
        var results: [Int: [DocumentPath: ListenedDocument]] = [:]
        var current: [Int: ListenTarget] = [:]
        var stamp: Int64 = 0
    }

    private struct PendingRead {
        let read: ListenRead
        let asked: Int64
    }

    var random: SeededGenerator
    var listeners: Listeners
    private var versions: [[DocumentPath: ListenedDocument]] = [[:]]
    private var changes: [[DocumentChange]] = [[]]
    private var clients: [ListenStreamID: Client] = [:]
    private var reads: [PendingRead] = []
    private var lastNumber = 0
    /// Commits that the store has and the listeners have not handled.
    private var unheard: [Int64] = []
    private(set) var events = 0
    private(set) var changesSent = 0

    init(seed: UInt64, waiting: Int, duringRead: Int, waitingOfAll: Int) {
        random = SeededGenerator(seed)
        var limits = Listeners.Limits()
        func limit(_ number: Int) -> Backlog { number > 1_000 ? Backlog(changes: .max, bytes: number) : Backlog(changes: number, bytes: .max) }
        (limits.waiting, limits.duringRead, limits.waitingOfAll) = (limit(waiting), limit(duringRead), limit(waitingOfAll))
        listeners = Listeners(at: 0, limits)
    }

    private var stamp: Int64 { Int64(versions.count - 1) }

    mutating func step() {
        switch random.next() % 12 {
        case 0...3: store()
        case 4...6: hear()
        case 7, 8: answer()
        case 9: for id in clients.keys.sorted(by: { $0.number < $1.number }) where Bool.random(using: &random) { take(id) }
        case 10: addTarget()
        default: leave()
        }
    }

    /// Handles everything that is left, so that each target is current.
    mutating func settle() {
        for _ in 1...1_000 {
            while !unheard.isEmpty { hear() }
            while !reads.isEmpty { answer() }
            for id in clients.keys { take(id) }
            if reads.isEmpty { break }
        }
        #expect(reads.isEmpty)
        for (id, client) in clients {
            #expect(client.current.count == client.results.count)
            for (number, target) in client.current { #expect(client.results[number] == result(target, at: stamp), "target \(number) of \(id)") }
        }
    }

    // MARK: Steps

    private mutating func store() {
        var documents = versions[versions.count - 1]
        var made: [DocumentPath: DocumentChange] = [:]
        for _ in 0...Int(random.next() % 3) {
            let path = RandomListening.path(&random)
            let before = documents[path]
            let isGone = random.next() % 4 == 0
            if isGone, before == nil { continue }
            let after = isGone ? nil : ListenedDocument(path, RandomListening.fields(&random), version: stamp + 1)
            documents[path] = after
            made[path] = DocumentChange(path, before: made[path].map(\.before) ?? before, after: after)
        }
        versions.append(documents)
        changes.append(made.values.filter { $0.before != nil || $0.after != nil }.sorted { $0.path < $1.path })
        unheard.append(stamp)
    }

    private mutating func hear() {
        guard !unheard.isEmpty else { return }
        let stamps = unheard.prefix(Int(random.next() % 4) + 1)
        unheard.removeFirst(stamps.count)
        handle(
            listeners.commit(
                stamps.map { stamp in ListenedCommit(stamp: stamp, changes: changes[Int(stamp)].filter { listeners.hears($0.path) }) }))
    }

    private mutating func answer() {
        guard !reads.isEmpty else { return }
        let pending = reads.remove(at: Int(random.next() % UInt64(reads.count)))
        let at = Int64.random(in: pending.asked...stamp, using: &random)
        if pending.read.id.isMultiple(of: 2), listeners.awaited([pending.read]).isEmpty { return }
        switch pending.read.what {
        case .result(let most):
            let all = result(pending.read.target, at: at, ordered: true)
            handle(listeners.answer(pending.read.id, .result(Array(all.prefix(most)), at: at)))
        case .changes(let since):
            if random.next() % 8 == 0 { return handle(listeners.answer(pending.read.id, .gone)) }
            let list = since < at ? changes[Int(since + 1)...Int(at)].flatMap { $0 } : []
            handle(listeners.answer(pending.read.id, .changes(list, at: max(at, since))))
        }
    }

    private mutating func addTarget() {
        let id = ListenStreamID(Int(random.next() % 4))
        if clients[id] == nil {
            clients[id] = Client()
            listeners.open(id)
        }
        lastNumber += 1
        let target = RandomListening.target(&random)
        clients[id]?.current[lastNumber] = target
        let start = beginning(target, for: id)
        handle(listeners.add(target, as: lastNumber, to: id, from: start))
    }

    /// Chooses whether the client has an earlier result.
    private mutating func beginning(_ target: ListenTarget, for id: ListenStreamID) -> ListenStart {
        let past = Int64.random(in: 0...listeners.stamp, using: &random)
        switch random.next() % 3 {
        case 0: return Bool.random(using: &random) ? .anew : .reset
        case 1:
            let known = result(target, at: past)
            clients[id]?.results[lastNumber] = known
            return .known(known.mapValues(\.version))
        default:
            let known = result(target, at: past)
            clients[id]?.results[lastNumber] = known
            return .since(past)
        }
    }

    private mutating func leave() {
        guard let id = clients.keys.sorted(by: { $0.number < $1.number }).randomElement(using: &random) else { return }
        if random.next() % 4 == 0 {
            listeners.close(id)
            clients[id] = nil
        } else if let number = clients[id]?.current.keys.sorted().randomElement(using: &random) {
            _ = listeners.remove(number, from: id)
            clients[id]?.current[number] = nil
            clients[id]?.results[number] = nil
        }
    }

    private mutating func handle(_ work: ListenWork) {
        reads += work.reads.map { PendingRead(read: $0, asked: listeners.stamp) }
        for id in work.news where random.next() % 3 != 0 { take(id) }
    }

    // MARK: Clients

    private var whole: [ListenStreamID: Set<Int>] = [:]

    private mutating func take(_ id: ListenStreamID) {
        let (event, work) = listeners.take(id)
        handle(work)
        guard let event, var client = clients[id] else { return }
        events += 1
        changesSent += event.changes.count
        #expect(event.stamp >= client.stamp)
        client.stamp = event.stamp
        for target in event.resets { client.results[target] = [:] }
        for change in event.changes {
            let known = client.results[change.target]?[change.path]
            switch change.change {
            case .added(let document):
                #expect(known == nil, "added twice")
                client.results[change.target, default: [:]][change.path] = document
            case .modified(let document):
                #expect(known != nil, "modified before it was added")
                client.results[change.target, default: [:]][change.path] = document
            case .removed:
                #expect(known != nil, "removed before it was added")
                client.results[change.target]?[change.path] = nil
            }
        }
        whole[id, default: []].formUnion(event.newlyCurrent)
        for target in event.newlyCurrent where client.results[target] == nil { client.results[target] = [:] }
        clients[id] = client
        for (number, target) in client.current where whole[id]?.contains(number) == true {
            #expect(client.results[number] == result(target, at: event.stamp), "target \(number), \(target) at \(event.stamp)")
        }
    }

    private func result(_ target: ListenTarget, at stamp: Int64) -> [DocumentPath: ListenedDocument] {
        var all = result(target, at: stamp, ordered: true)
        if let window = target.window { all = Array(all.dropFirst(window.skipped).prefix(window.limit)) }
        return Dictionary(all.map { ($0.path, $0) }) { first, _ in first }
    }

    /// Returns the documents of a target without its offset and limit.
    private func result(_ target: ListenTarget, at stamp: Int64, ordered: Bool) -> [ListenedDocument] {
        switch target.kind {
        case .document(let path): return versions[Int(stamp)][path].map { [$0] } ?? []
        case .query(var query):
            (query.limit, query.offset) = (nil, 0)
            return query.result(of: Array(versions[Int(stamp)].values))
        }
    }
}

/// Small random documents and targets, so that results change often.
enum RandomListening {
    private static let fields = ["a", "b", "tags"].map(field)

    static func named(_ path: String) -> DocumentPath {
        guard let path = DocumentPath(path) else { preconditionFailure("\(path) is no path") }
        return path
    }

    static func field(_ name: String) -> FieldPath {
        guard let field = FieldPath(name) else { preconditionFailure("\(name) is no field") }
        return field
    }

    static func path(_ random: inout SeededGenerator) -> DocumentPath {
        let id = random.next() % 5
        return named(["rooms/r\(id)", "users/u\(id)", "rooms/r\(id % 2)/users/u\(id)"][Int(random.next() % 3)])
    }

    static func fields(_ random: inout SeededGenerator) -> DocumentFields {
        var fields = DocumentFields()
        for name in ["a", "b"] where random.next() % 5 != 0 { fields[ExactName(name)] = value(&random) }
        if Bool.random(using: &random) { fields["tags"] = .array((0..<random.next() % 3).map { _ in value(&random) }) }
        return fields
    }

    private static func value(_ random: inout SeededGenerator) -> DocumentValue {
        switch random.next() % 8 {
        case 0: .null
        case 1: .double(.nan)
        case 2: .double(1)
        case 3: .text("x")
        default: .integer(Int64(random.next() % 3))
        }
    }

    static func target(_ random: inout SeededGenerator) -> ListenTarget {
        if random.next() % 6 == 0 { return ListenTarget(path(&random)) }
        let isGroup = random.next() % 3 == 0
        let below = !isGroup && random.next() % 3 == 0 ? DocumentPath("rooms/r\(random.next() % 2)") : nil
        let name = isGroup || below != nil || Bool.random(using: &random) ? "users" : "rooms"
        var query = DocumentQuery(collection: PathSegment(name), below: below, everyDepth: isGroup)
        if random.next() % 3 != 0 { query.filter = filter(&random, depth: 2) }
        if Bool.random(using: &random) {
            query.orders = [DocumentQuery.Order(fields[Int(random.next() % 2)], descending: Bool.random(using: &random))]
        }
        if random.next() % 3 == 0 { query.limit = Int(random.next() % 4) }
        if random.next() % 8 == 0 { query.offset = Int(random.next() % 3) }
        return ListenTarget(query)
    }

    private static func filter(_ random: inout SeededGenerator, depth: Int) -> Filter {
        let field = fields[Int(random.next() % 2)]
        switch random.next() % (depth == 0 ? 7 : 9) {
        case 0, 1: return .compare(field, .equal, value(&random))
        case 2: return .compare(field, .atLeast, value(&random))
        case 3: return .compare(field, .isIn, .array([value(&random), value(&random)]))
        case 4: return .compare(fields[2], .contains, value(&random))
        case 5: return .compare(fields[2], .containsAny, .array([value(&random), value(&random)]))
        case 6: return .unary(field, UnaryCondition.allCases[Int(random.next() % 4)])
        case 7: return .and([filter(&random, depth: depth - 1), filter(&random, depth: depth - 1)])
        default: return .or([filter(&random, depth: depth - 1), filter(&random, depth: depth - 1)])
        }
    }
}
