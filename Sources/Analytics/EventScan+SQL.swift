// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

extension QueryContext {
    /// Scans files in parallel. Returns one state per file, in the order of the days.
    func scan<State: Sendable>(
        _ scan: EventScan, into start: State, _ body: @escaping @Sendable (inout State, ScannedEvent) throws -> Void
    ) throws -> [State] {
        let people = try scan.properties.isEmpty ? nil : PeopleValues(self, scan)
        return try session.each(of: days(of: scan)) { file, _ in try read(file, scan, people, into: start, body) }
    }

    /// Scans files in parallel and joins their states, each as soon as it is there, in no particular order.
    func scan<State: Sendable>(
        _ scan: EventScan, into start: State, _ body: @escaping @Sendable (inout State, ScannedEvent) throws -> Void,
        joining join: @escaping @Sendable (inout State, State) throws -> Void
    ) throws -> State {
        let people = try scan.properties.isEmpty ? nil : PeopleValues(self, scan)
        return try session.fold(of: days(of: scan), into: start, { file, _ in try read(file, scan, people, into: start, body) }, joining: join)
    }

    private func days(of scan: EventScan) throws -> [Day] {
        try days(from: scan.from, to: scan.to).filter { scan.days?.contains($0) != false }
    }

    private func read<State>(
        _ file: DayDB, _ scan: EventScan, _ people: PeopleValues?, into start: State, _ body: (inout State, ScannedEvent) throws -> Void
    ) throws -> State {
        var state = start
        let reader = try FileReader(scan, file, self, people)
        try reader.each { try body(&state, $0) }
        return state
    }
}

/// The scan of one file. Names are resolved to the file's numbers once, before the rows.
private final class FileReader {
    /// A test, with the part that is left to evaluate once the name matches.
    private struct Test {
        var bit: UInt32
        /// The numbers of its names; nil for any.
        var words: Set<Int64>?
        var filters: [Filter]
    }

    private let scan: EventScan
    private let file: DayDB
    private let app: AppID
    private let people: PeopleValues?
    private let contexts: FileContexts
    private let nameTexts: [Int64: [UInt8]]
    /// The numbers of the scan's names; nil for any.
    private let words: Set<Int64>?
    /// By name: the bits of tests without filters, and the tests whose filters must be evaluated.
    private var testsOfName: [Int64: (passed: UInt32, open: [Test])] = [:]
    private let tests: [Test]

    init(_ scan: EventScan, _ file: DayDB, _ context: QueryContext, _ people: PeopleValues?) throws {
        self.scan = scan
        self.file = file
        app = context.app
        self.people = people
        words = try scan.names.map { try file.words($0, context) }
        tests = try scan.tests.enumerated().map { place, test in
            Test(bit: 1 << UInt32(place), words: try test.names.map { try file.words($0, context) }, filters: test.filters)
        }
        contexts = try FileContexts(file, context.app, needed: scan.paths.contains { if case .context = $0 { true } else { false } })
        nameTexts = try scan.paths.contains(.name) ? file.nameTexts(of: context.app) : [:]
    }

    func each(_ body: (ScannedEvent) throws -> Void) throws {
        if words?.isEmpty == true { return }
        let needsParams = scan.needsParams
        let values: [Value] = [.integer(app.rawValue), .integer(scan.from.milliseconds), .integer(scan.to.milliseconds)]
        var name: Int64 = -1
        var test: (passed: UInt32, open: [Test]) = (0, [])
        try file.uncached(sql).each(values) { row in
            var event = ScannedEvent(
                time: row.integer(0), name: row.integer(1), user: row.key(2), installation: row.key(3), session: row.key(4), value: nil)
            if event.name != name { (name, test) = (event.name, tests(of: event.name)) }
            event.passed = test.passed
            if !scan.filters.isEmpty || scan.field != nil || !test.open.isEmpty {
                let fields = RowFields(reader: self, event: event, context: row.integer(5), params: needsParams ? try row.params(6) : [])
                guard scan.filters.allSatisfy({ $0.holds(fields[$0.path]) }) else { return }
                // A value with the reserved name of "no value" counts as none.
                if let field = scan.field { event.value = fields[field].flatMap { $0.elementsEqual(BreakdownName.none.utf8) ? nil : $0 } }
                for test in test.open where test.filters.allSatisfy({ $0.holds(fields[$0.path]) }) { event.passed |= test.bit }
            }
            if scan.withMoney {
                event.money = .init(isRefund: row.integer(7) == Int64(EventKind.refund.rawValue), amount: row.integer(8), currency: row.integer(9))
            }
            try body(event)
        }
    }

    private func tests(of name: Int64) -> (passed: UInt32, open: [Test]) {
        if let known = testsOfName[name] { return known }
        let fitting = tests.filter { $0.words?.contains(name) != false }
        let found = (passed: fitting.filter(\.filters.isEmpty).reduce(0) { $0 | $1.bit }, open: fitting.filter { !$0.filters.isEmpty })
        testsOfName[name] = found
        return found
    }

    /// The statement with the cheapest access path: the few purchases, the index by name, or a scan of all rows.
    private var sql: String {
        let columns = "e.time, e.name, e.user, e.installation, e.session, e.context, \(scan.needsParams ? "d.params" : "NULL")"
        let details = scan.needsParams ? "CROSS JOIN details d ON d.seq = e.seq" : ""
        let range = "e.app = ?1 AND e.time >= ?2 AND e.time < ?3 \(onlyNames)"
        if scan.withMoney {
            return """
                SELECT \(columns), p.kind, p.amount, p.currency FROM purchases p CROSS JOIN events e ON e.seq = p.seq \(details)
                WHERE p.app = ?1 AND p.currency != 0 AND \(range)
                """
        }
        return "SELECT \(columns) FROM events e \(onlyNames.isEmpty ? "NOT INDEXED" : "") \(details) WHERE \(range)"
    }

    private var onlyNames: String {
        guard let words else { return "" }
        return "AND e.name IN (\(words.sorted().map(String.init).joined(separator: ", ")))"
    }

    /// The fields of one row.
    private struct RowFields {
        let reader: FileReader
        let event: ScannedEvent
        let context: Int64
        let params: [UInt8]

        subscript(path: FieldPath) -> [UInt8]? {
            switch path {
            case .name: reader.nameTexts[event.name]
            case .context(let place): reader.contexts[context, place]
            case .param(let name): ParamText.value(of: name, in: params)
            case .user(let name): reader.people?.value(name, user: event.user, installation: event.installation)
            }
        }
    }
}
