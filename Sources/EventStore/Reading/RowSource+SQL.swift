// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Events
import Platform
import SQLite

extension DayDB {
    /// Returns the events that a request selects.
    package func source(_ request: EventRequest, withdrawn: WithdrawnHandling) throws -> some EventSource {
        try RowSource(request, withdrawn, self)
    }
}

/// The source over a day's rows. Names are resolved to the file's numbers once, before the rows.
private final class RowSource: EventSource {
    /// A test, with the part that is left to evaluate once the name matches.
    private struct Test {
        var bit: UInt32
        /// The numbers of its names; nil for any.
        var names: Set<Int64>?
        var filters: [Filter]
    }

    private typealias TestsOfName = (passed: UInt32, open: [Test])

    private let request: EventRequest
    private let file: DayDB
    private let handling: WithdrawnHandling
    /// The numbers of withdrawn rows; nil for none, and before the first row. The file's own list is read after the first row, when both
    /// are read from the same state of the file.
    private var withdrawn: KeySet?
    private var hasList = false
    /// Whether the rows have their numbers.
    private let hasNumbers: Bool
    private let texts: FileTexts
    /// Nil if the file has none of the names, or at the end.
    private var statement: Statement?
    private let tests: [Test]
    /// By the name's number: the bits of tests without filters, and the tests whose filters must be evaluated. An array, because every other
    /// row has another name.
    private var testsOfName: [TestsOfName?] = []
    /// Names with other numbers, of which a file has few, are not kept.
    private static let namesKept: Range<Int64> = 0..<65_536
    private var current: (name: Int64, tests: TestsOfName) = (-1, (0, []))
    /// The codes of the values that depend on the event's name or context only, by its number.
    private var codes: [Int64: UInt32] = [:]
    private let readsParams: Bool
    private let evaluatesFields: Bool
    private var capacity: Int

    init(_ request: EventRequest, _ handling: WithdrawnHandling, _ file: DayDB) throws {
        self.request = request
        self.file = file
        self.handling = handling
        hasNumbers = handling.rows != nil
        texts = FileTexts(file)
        tests = try request.tests.enumerated().map { place, test in
            Test(bit: 1 << UInt32(place), names: try test.names.map { try file.nameNumbers($0) }, filters: test.filters)
        }
        let columns = handling.rows == nil ? request.columnsRead : request.columnsRead.union(.seq)
        readsParams = request.paths.contains { if case .param = $0 { true } else { false } }
        evaluatesFields = !request.filters.isEmpty || request.field != nil || request.number != nil
        precondition(request.tests.count <= 32, "a test has a bit of a UInt32")
        capacity = min(max(request.firstBatch, 1), EventBatch.capacity)
        let names = try request.names.map { try file.nameNumbers($0) }
        if names?.isEmpty == true { return }
        let select = RowSelect(request, columns, names: names)
        statement = try file.uncached(select.sql)
        try statement?.start(select.values)
    }

    func next(into batch: inout EventBatch) throws -> Bool {
        batch.removeAll()
        guard let statement else { return false }
        while batch.count < capacity, batch.bytes < EventBatch.byteLimit {
            guard let row = try statement.next() else {
                self.statement = nil
                break
            }
            if !hasList {
                hasList = true
                withdrawn = try handling.rows?.seqs(in: file)
            }
            if hasNumbers, row.integer(0) > handling.last { continue }
            let isWithdrawn = withdrawn?.contains(row.key(0)) ?? false
            if isWithdrawn, handling.leavesOut { continue }
            try add(row, isWithdrawn: isWithdrawn, to: &batch)
        }
        capacity = min(capacity * 4, EventBatch.capacity)
        return batch.count > 0
    }

    /// Adds a row if it meets the filters.
    private func add(_ row: Row, isWithdrawn: Bool, to batch: inout EventBatch) throws {
        if !tests.isEmpty {
            let name = row.integer(1)
            if name != current.name { current = (name, tests(of: name)) }
        }
        if evaluatesFields || !current.tests.open.isEmpty {
            let fields = RowFields(
                name: row.integer(1), context: row.integer(7), user: row.key(4), installation: row.key(5),
                params: try params(row), texts: texts, property: request.property, isMember: request.isMember)
            for filter in request.filters where !filter.holds(try fields[filter.path]) { return }
            if let field = request.field { batch.codes.append(try code(of: field, fields, &batch.values)) }
            if let number = request.number { batch.numbers.append(try fields[.param(number)].flatMap(NumberMetric.number)) }
            var passed = current.tests.passed
            for test in current.tests.open where try test.filters.allSatisfy({ $0.holds(try fields[$0.path]) }) { passed |= test.bit }
            if !tests.isEmpty { batch.passed.append(passed) }
        } else if !tests.isEmpty {
            batch.passed.append(current.tests.passed)
        }
        try batch.append(row, request.columns)
        if isWithdrawn { batch.markWithdrawn() }
    }

    /// Returns the parameters that fields are evaluated from.
    private func params(_ row: Row) throws -> [UInt8] { readsParams ? try row.params(10) : [] }

    private func tests(of name: Int64) -> TestsOfName {
        let isKept = RowSource.namesKept.contains(name)
        if isKept, name < testsOfName.count, let known = testsOfName[Int(name)] { return known }
        let fitting = tests.filter { $0.names?.contains(name) != false }
        let found = (passed: fitting.filter(\.filters.isEmpty).reduce(0) { $0 | $1.bit }, open: fitting.filter { !$0.filters.isEmpty })
        if isKept {
            while testsOfName.count <= name { testsOfName.append(nil) }
            testsOfName[Int(name)] = found
        }
        return found
    }

    private func code(of field: FieldPath, _ fields: RowFields, _ values: inout ValueTable) throws -> UInt32 {
        let number: Int64? =
            switch field {
            case .name: fields.name
            case .context: fields.context
            case .param, .user, .item, .cohorts, .several: nil
            }
        if let number, let known = codes[number] { return known }
        // A value with the reserved name of "no value" counts as none.
        let value = try fields[field].flatMap { $0.elementsEqual(BreakdownName.none.utf8) ? nil : $0 }
        let code = try values.code(of: value)
        if let number { codes[number] = code }
        return code
    }
}

extension EventBatch {
    /// Adds the requested columns of a row of `RowSelect`.
    fileprivate mutating func append(_ row: Row, _ columns: EventColumns) throws {
        count += 1
        if columns.contains(.seq) { seqs.append(row.integer(0)) }
        if columns.contains(.name) { names.append(row.integer(1)) }
        if columns.contains(.time) { times.append(row.integer(2)) }
        if columns.contains(.received) { received.append(row.integer(3)) }
        if columns.contains(.user) { users.append(row.key(4)) }
        if columns.contains(.installation) { installations.append(row.key(5)) }
        if columns.contains(.session) { sessions.append(row.key(6)) }
        if columns.contains(.context) { contexts.append(row.integer(7)) }
        if columns.contains(.flags) { flags.append(EventFlags(rawValue: UInt16(truncatingIfNeeded: row.integer(8)))) }
        if columns.contains(.id) {
            let id = row.isBlob(9) ? UUID128(networkBytes: row.bytes(9)).text : row.bytes(9)
            bytes += id.count
            ids.append(id)
        }
        if columns.contains(.params) {
            let json = try row.params(10)
            bytes += json.count
            params.append(json)
        }
        if columns.contains(.purchase) { purchases.append(Purchase(row)) }
    }
}

extension EventBatch.Purchase {
    fileprivate init?(_ row: Row) {
        if row.isNull(11) { return nil }
        self.init(isRefund: row.integer(11) == Int64(EventKind.refund.rawValue), amount: row.integer(12), currency: row.integer(13))
    }
}

/// The fields of one row.
private struct RowFields {
    let name: Int64
    let context: Int64
    let user: UInt64
    let installation: UInt64
    let params: [UInt8]
    let texts: FileTexts
    let property: (@Sendable (String, UInt64, UInt64) -> [UInt8]?)?
    let isMember: (@Sendable ([NamedCohort], UInt64, UInt64) -> Bool)?

    subscript(path: FieldPath) -> [UInt8]? {
        get throws {
            switch path {
            case .name: try texts.name(name)
            case .context(let place): try texts.context(context)[place]
            case .param(let name): ParamText.value(of: name, in: params)
            case .user(let name): property?(name, user, installation)
            case .item: nil
            case .cohorts(let cohorts): isMember?(cohorts, user, installation) == true ? Filter.member : nil
            case .several(let fields): JoinedValues.text(try fields.map { try self[$0] })
            }
        }
    }
}
