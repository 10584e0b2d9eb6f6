// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel

/// An object of a test case. Unknown names are errors, because a case with a typo would test something else.
struct RuleCaseObject {
    private let members: [String: JSON5Value]
    private let value: JSON5Value

    init(_ value: JSON5Value, _ known: [String]) throws(RuleCaseError) {
        guard case .object(let list) = value.kind else { throw value.fault("An object is expected here.") }
        var members: [String: JSON5Value] = [:]
        for member in list {
            guard known.contains(member.name) else {
                let hint = Spelling.nearest(to: member.name, among: known).map { " Did you mean \($0)?" } ?? ""
                throw RuleCaseError(position: member.position, message: "\(member.name) is unknown.\(hint)")
            }
            if members.updateValue(member.value, forKey: member.name) != nil {
                throw RuleCaseError(position: member.position, message: "\(member.name) is given twice.")
            }
        }
        (self.members, self.value) = (members, value)
    }

    subscript(name: String) -> JSON5Value? { members[name] }

    func required(_ name: String) throws(RuleCaseError) -> JSON5Value {
        guard let member = members[name] else { throw value.fault("\(name) is missing.") }
        return member
    }
}

extension JSON5Value {
    /// The largest whole number below which all whole doubles are exact.
    private static let exactIntegers = -9_007_199_254_740_991.0...9_007_199_254_740_991.0

    func fault(_ message: String) -> RuleCaseError { RuleCaseError(position: position, message: message) }

    /// The text of a string; nil for any other value.
    var text: String? { if case .string(let text) = kind { text } else { nil } }

    /// The value of a field. A number without a fraction is an integer; times and names of documents are tagged.
    ///
    ///     7   1.5   {$time: "2026-01-31T23:59:59Z"}   {$ref: "users/u1"}   {$double: 1}   {$double: "NaN"}
    func documentValue() throws(RuleCaseError) -> DocumentValue {
        switch kind {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .number(let number):
            return number == number.rounded() && JSON5Value.exactIntegers.contains(number) ? .integer(Int64(number)) : .double(number)
        case .string(let text): return .text(ExactName(text))
        case .array(let values):
            var elements: [DocumentValue] = []
            for value in values { elements.append(try value.documentValue()) }
            return .array(elements)
        case .object(let members):
            if members.count == 1, let tagged = try members[0].taggedValue() { return tagged }
            return .map(try documentFields())
        }
    }

    /// The content of `$double`: a number, or the text of one that JSON does not have.
    fileprivate var double: Double? {
        switch kind {
        case .number(let number): number
        case .string("NaN"): .nan
        case .string("Infinity"): .infinity
        case .string("-Infinity"): -.infinity
        default: nil
        }
    }

    func documentFields() throws(RuleCaseError) -> DocumentFields {
        guard case .object(let members) = kind else { throw fault("An object of fields is expected here.") }
        var list: [DocumentFields.Field] = []
        for member in members { list.append(.init(ExactName(member.name), try member.value.documentValue())) }
        guard let fields = DocumentFields(list) else { throw fault("A field is given twice.") }
        return fields
    }
}

extension JSON5Member {
    /// The value behind `$time`, `$ref` or `$double`; nil for any other name.
    fileprivate func taggedValue() throws(RuleCaseError) -> DocumentValue? {
        switch name {
        case "$time":
            guard let time = value.text.flatMap(DocumentTime.init(rfc3339:)) else { throw value.fault("A time is expected here.") }
            return .time(time)
        case "$ref": return .reference(DocumentReference(try RuleCaseReader.path(value)))
        case "$double":
            guard let number = value.double else { throw value.fault("A number, \"NaN\", \"Infinity\" or \"-Infinity\" is expected here.") }
            return .double(number)
        default: return nil
        }
    }
}
