// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// Evaluates expressions for one request.
struct RuleEvaluation {
    struct Failure: Error {
        let place: RulePlace
        let message: String
        /// The limit that was exceeded, with which the whole decision fails.
        var limit: RuleLimit?
        /// Whether the failure is only that the bytes of a file are still to come.
        var isUndecided = false
    }

    let rules: Ruleset
    let request: RuleRequest
    let read: (DocumentPath, _ after: Bool) -> DocumentFields?
    var captures: [RuleValue] = []
    /// Nil unless they are wanted.
    var steps: [RuleStep]?
    private var locals: [RuleValue] = []
    private(set) var expressions = 0
    private var depth = 0
    private(set) var work = 0
    private(set) var looksAtExisting = false
    private(set) var looksAtWritten = false
    private var reads: Set<DocumentPath> = []
    private var place = RulePlace(line: 1, column: 1)
    private let readExisting: (() -> RuleResource?)?
    private lazy var existing = request.existing ?? readExisting?()

    init(
        rules: Ruleset, request: RuleRequest, existing: (() -> RuleResource?)?, read: @escaping (DocumentPath, _ after: Bool) -> DocumentFields?
    ) {
        (self.rules, self.request, readExisting, self.read) = (rules, request, existing, read)
    }

    func failure(_ message: String) -> Failure { Failure(place: place, message: message) }

    /// The failure of an operation on an unknown value.
    func unknown(_ message: String) -> Failure {
        guard request.awaitsFile else { return failure(message) }
        return Failure(place: place, message: "The checksums are not known before the bytes.", isUndecided: true)
    }

    /// Adds to the work of the decision. What an operation visits was the value of an expression before.
    mutating func charge(_ weight: Int) throws(Failure) {
        work += weight
        try reserve(0)
    }

    /// Throws unless the decision may do so much more work. An operation asks before it makes a value, which is charged once it is made.
    func reserve(_ weight: Int) throws(Failure) {
        if work + weight > RuleBudget.work { throw Failure(place: place, message: "The values are too large for one decision.", limit: .work) }
    }

    /// Charges an operation that visits a value with all that is in it. The elements of a list or set were charged with its expression.
    mutating func chargeVisit(_ value: RuleValue) throws(Failure) {
        switch value {
        case .map, .difference: try charge(value.weight(deeply: true))
        case .list, .set: try charge(value.weight(deeply: true) - value.weight())
        default: break
        }
    }

    mutating func value(_ id: NodeID) throws(Failure) -> RuleValue {
        let value = try computed(id)
        try charge(value.weight())
        steps?.append(RuleStep(place: rules.places[id.index], value: value.summary))
        return value
    }

    private mutating func count(_ id: NodeID) throws(Failure) {
        place = rules.places[id.index]
        expressions += 1
        if expressions > RuleBudget.expressions {
            throw Failure(place: place, message: "A request evaluates at most \(RuleBudget.expressions) expressions.", limit: .expressions)
        }
    }

    private mutating func computed(_ id: NodeID) throws(Failure) -> RuleValue {
        try count(id)
        switch rules.nodes[id.index] {
        case .literal(let value): return value
        case .request:
            looksAtWritten = true
            return request.value
        case .resource:
            looksAtExisting = true
            return request.facts.map(RuleValue.map) ?? existing.map(\.value) ?? .null
        case .capture(let index):
            if case .unknown = captures[index] { throw failure("A query does not know the ID of the documents it finds.") }
            return captures[index]
        case .local(let index): return locals[index]
        case .list(let ids): return .list(try values(ids))
        case .map(let pairs): return try map(pairs)
        case .path(let parts): return try path(parts)
        case .field(let base, let name): return try field(base, name)
        case .index(let base, let index): return try element(try value(base), try value(index))
        case .slice(let base, let from, let to): return try slice(base, from, to)
        case .not(let operand): return .bool(!(try bool(operand)))
        case .negative(let operand): return try negative(try value(operand))
        case .all(let conditions): return .bool(try logic(conditions, decisive: false))
        case .any(let conditions): return .bool(try logic(conditions, decisive: true))
        case .choice(let condition, let first, let second): return try bool(condition) ? try value(first) : try value(second)
        case .binary(let operation, let left, let right): return try binary(operation, try value(left), try value(right))
        case .hasType(let operand, let type):
            let value = try value(operand)
            if case .unknown = value { throw unknown("The query does not say of which type this is.") }
            return .bool(value.hasType(type))
        case .call(let function, let arguments): return try call(function, try values(arguments))
        case .builtin(let function, let arguments): return try builtin(function, try values(arguments))
        case .method(let base, let method, let arguments): return try self.method(method, of: try value(base), try values(arguments))
        case .unresolved(let message): throw failure(message)
        }
    }

    private mutating func values(_ ids: [NodeID]) throws(Failure) -> [RuleValue] {
        var values: [RuleValue] = []
        for id in ids { values.append(try value(id)) }
        return values
    }

    private mutating func bool(_ id: NodeID) throws(Failure) -> Bool {
        let place = rules.places[id.index]
        guard case .bool(let value) = try value(id) else { throw Failure(place: place, message: "This is not true or false.") }
        return value
    }

    // MARK: Logic

    /// Evaluates `a && b && c` or `a || b || c`. One decisive value wins over errors, wherever they are. Of errors the first counts; but `&&` is
    /// undecided only if all are, and `||` if one is.
    private mutating func logic(_ conditions: [NodeID], decisive: Bool) throws(Failure) -> Bool {
        var first: Failure?
        for condition in conditions {
            do throws(Failure) {
                if try bool(condition) == decisive { return decisive }
            } catch {
                if error.limit != nil { throw error }
                if first == nil || first?.isUndecided != decisive && error.isUndecided == decisive { first = error }
            }
        }
        if let first { throw first }
        return !decisive
    }

    // MARK: Values

    private mutating func map(_ pairs: [(key: NodeID, value: NodeID)]) throws(Failure) -> RuleValue {
        var made: [ExactName: RuleValue] = [:]
        for pair in pairs {
            guard case .text(let key) = try value(pair.key) else { throw failure("The key of a map is a string.") }
            made[ExactName(key)] = try value(pair.value)
        }
        return .map(.made(made))
    }

    private mutating func path(_ parts: [RuleNode.PathPart]) throws(Failure) -> RuleValue {
        var segments: [String] = []
        for part in parts {
            switch part {
            case .text(let text): segments.append(text)
            case .value(let id):
                let value = try value(id)
                if case .path(let inner) = value {
                    segments += inner
                } else if let text = value.asText {
                    // One segment, whatever slashes are in it: data must not choose the collection.
                    segments.append(text)
                } else {
                    throw failure("A segment of a path is a string or a number.")
                }
            }
        }
        return .path(segments)
    }

    private mutating func field(_ base: NodeID, _ name: ExactName) throws(Failure) -> RuleValue {
        if let member = try member(name, of: base) { return member }
        let base = try value(base)
        guard case .map(let map) = base else { throw failure("Only maps have fields, such as `\(name)`.") }
        guard let value = map[name] else { throw failure("There is no field `\(name)`.") }
        return value
    }

    /// Reads a member of `request`, `resource` or `get(…)` without making the map that they are; nil for anything else, and for no such member
    /// of the first two.
    private mutating func member(_ name: ExactName, of base: NodeID) throws(Failure) -> RuleValue? {
        guard steps == nil else { return nil }
        let value: RuleValue?
        switch rules.nodes[base.index] {
        case .request:
            looksAtWritten = looksAtWritten || name == "resource"
            value = request[name]
        case .resource:
            looksAtExisting = true
            value = request.facts == nil ? existing?[name] : nil
        case .builtin(let function, let arguments) where [.get, .documentGet, .getAfter].contains(function):
            return try member(name, of: base, function, arguments)
        default: value = nil
        }
        if value != nil {
            try count(base)
            try charge(1)
        }
        return value
    }

    /// Reads a member of the document that `get` or `getAfter` returns.
    private mutating func member(
        _ name: ExactName, of base: NodeID, _ function: RuleFunction, _ arguments: [NodeID]
    ) throws(Failure) -> RuleValue {
        try count(base)
        let found = try found(by: function, try values(arguments))
        try charge(1)
        guard let value = found[name] else { throw failure("There is no field `\(name)`.") }
        return value
    }

    private func element(_ base: RuleValue, _ index: RuleValue) throws(Failure) -> RuleValue {
        switch (base, index) {
        case (.list(let values), .integer(let index)):
            guard values.indices.contains(Int(index)) else { throw failure("The list has no element \(index).") }
            return values[Int(index)]
        case (.map(let map), .text(let key)):
            guard let value = map[ExactName(key)] else { throw failure("There is no field `\(key)`.") }
            return value
        case (.path(let segments), .integer(let index)):
            guard segments.indices.contains(Int(index)) else { throw failure("The path has no segment \(index).") }
            return .text(segments[Int(index)])
        case (.text(let text), .integer(let index)): return try slice(.integer(index), .integer(index &+ 1), of: Array(text.utf16))
        default: throw failure("This value has no elements.")
        }
    }

    /// Evaluates `base[from:to]`. Without its ends a slice goes from the first element to the last.
    private mutating func slice(_ base: NodeID, _ from: NodeID?, _ to: NodeID?) throws(Failure) -> RuleValue {
        let base = try value(base)
        let first = try from.map { id throws(Failure) in try value(id) } ?? .integer(0)
        let last = try to.map { id throws(Failure) in try value(id) }
        switch base {
        case .text(let text):
            let units = Array(text.utf16)
            return try slice(first, last ?? .integer(Int64(units.count)), of: units)
        case .list(let values): return .list(Array(values[try range(first, last ?? .integer(Int64(values.count)), of: values.count)]))
        default: throw failure("This value has no slices.")
        }
    }

    /// Takes UTF-16 units out of a text, as Firestore counts them.
    private func slice(_ from: RuleValue, _ to: RuleValue, of units: [UInt16]) throws(Failure) -> RuleValue {
        .text(String(decoding: units[try range(from, to, of: units.count)], as: UTF16.self))
    }

    /// The places of a slice. As in Firestore, it begins at an element and ends behind one: `[0:0]` is an error, and `[1:1]` is empty.
    private func range(_ from: RuleValue, _ to: RuleValue, of count: Int) throws(Failure) -> Range<Int> {
        guard case .integer(let low) = from, case .integer(let high) = to, low >= 0, low < count, high >= max(1, low), high <= count else {
            throw failure("The slice is out of range.")
        }
        return Int(low)..<Int(high)
    }

    private mutating func call(_ number: Int, _ arguments: [RuleValue]) throws(Failure) -> RuleValue {
        depth += 1
        defer { depth -= 1 }
        if depth > RuleBudget.calls { throw Failure(place: place, message: "Calls are at most \(RuleBudget.calls) deep.", limit: .calls) }
        let outer = locals
        defer { locals = outer }
        locals = arguments
        let function = rules.functions[number]
        for id in function.lets { locals.append(try value(id)) }
        return try value(function.result)
    }

    // MARK: Documents

    /// Returns the document of `get` or `getAfter`, which fail without one.
    mutating func found(by function: RuleFunction, _ arguments: [RuleValue]) throws(Failure) -> RuleDocument {
        guard let document = try document(arguments[0], after: function == .getAfter) else { throw failure("There is no such document.") }
        return document
    }

    /// Reads a document for `get` and `exists`. Each document counts once.
    mutating func document(_ path: RuleValue, after: Bool) throws(Failure) -> RuleDocument? {
        guard case .path(let segments) = path, segments.starts(with: RuleValue.databasePath),
            let path = DocumentPath(ids: segments.dropFirst(RuleValue.databasePath.count)), path.isDocument
        else { throw failure("This is not the path of a document, such as /databases/$(database)/documents/users/$(uid).") }
        if reads.insert(path).inserted, reads.count > RuleBudget.reads {
            throw Failure(place: place, message: "A request reads at most \(RuleBudget.reads) documents.", limit: .reads)
        }
        return read(path, after).map { RuleDocument(path, $0) }
    }
}
