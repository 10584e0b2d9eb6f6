// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// The search plan of a row table: created during planning, passed through SQLite as a text, and parsed at execution.
struct TablePlan: Equatable {
    struct Term: Equatable {
        var column: Int
        var comparison: TableBound.Comparison
    }

    var wanted: UInt64
    var terms: [Term]

    init(wanted: UInt64, terms: [Term]) {
        self.wanted = wanted
        self.terms = terms
    }

    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard let first = parts.first, let wanted = UInt64(first) else { return nil }
        terms = parts.dropFirst().compactMap { part in
            let digits = part.prefix { $0.isNumber }
            guard let column = Int(digits), let comparison = TableBound.Comparison(rawValue: String(part.dropFirst(digits.count))) else { return nil }
            return Term(column: column, comparison: comparison)
        }
        guard terms.count == parts.count - 1 else { return nil }
        self.wanted = wanted
    }

    var text: String {
        ([String(wanted)] + terms.map { "\($0.column)\($0.comparison.rawValue)" }).joined(separator: " ")
    }
}

extension TableBound.Comparison {
    init?(constraint: UInt8) {
        switch Int32(constraint) {
        case SQLITE_INDEX_CONSTRAINT_EQ: self = .equal
        case SQLITE_INDEX_CONSTRAINT_LT: self = .less
        case SQLITE_INDEX_CONSTRAINT_LE: self = .lessOrEqual
        case SQLITE_INDEX_CONSTRAINT_GT: self = .greater
        case SQLITE_INDEX_CONSTRAINT_GE: self = .greaterOrEqual
        default: return nil
        }
    }
}

extension TableColumn.Search {
    func serves(_ comparison: TableBound.Comparison) -> Bool {
        switch self {
        case .none: false
        case .equality: comparison == .equal
        case .range: true
        }
    }
}

/// A view of SQLite's `sqlite3_index_info`.
///
/// The arrays have the lengths given in the structure and live for the duration of the call.
func plan(_ info: UnsafeMutablePointer<sqlite3_index_info>, _ columns: [TableColumn]) -> Int32 {
    var plan = TablePlan(wanted: info.pointee.colUsed, terms: [])
    var (cost, rows) = (1e7, 1e6)
    for place in 0..<Int(info.pointee.nConstraint) {
        let constraint = info.pointee.aConstraint[place]
        let column = Int(constraint.iColumn)
        guard constraint.usable != 0, columns.indices.contains(column), let comparison = TableBound.Comparison(constraint: constraint.op),
            columns[column].search.serves(comparison), isBytewise(info, place)
        else { continue }
        plan.terms.append(.init(column: column, comparison: comparison))
        info.pointee.aConstraintUsage[place].argvIndex = Int32(plan.terms.count)
        let share = comparison == .equal ? 0.01 : 0.4
        (cost, rows) = (cost * share, rows * share)
    }
    let text = plan.text
    guard let copy = sqlite3_malloc(Int32(clamping: text.utf8.count + 1)) else { return SQLITE_NOMEM }
    let target = copy.assumingMemoryBound(to: CChar.self)
    for (place, byte) in text.utf8.enumerated() { target[place] = CChar(bitPattern: byte) }
    target[text.utf8.count] = 0
    info.pointee.idxStr = target
    info.pointee.needToFreeIdxStr = 1
    info.pointee.estimatedCost = max(1, cost)
    info.pointee.estimatedRows = max(1, Int64(rows))
    return SQLITE_OK
}

/// Whether a text comparison uses BINARY collation and does not ignore case.
private func isBytewise(_ info: UnsafeMutablePointer<sqlite3_index_info>, _ place: Int) -> Bool {
    sqlite3_vtab_collation(info, Int32(place)).map { String(cString: $0) } == "BINARY"
}
