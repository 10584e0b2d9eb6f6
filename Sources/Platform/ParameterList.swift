// SPDX-License-Identifier: Apache-2.0

/// Query or form parameters: names and texts, which are looked up by name.
package protocol ParameterList: Sendable {
    var values: [(name: String, value: String)] { get }
}

extension ParameterList {
    /// Returns the value of a parameter; `nil` if it is missing. Throws if it is given twice.
    package func one(_ name: String) throws(Refusal) -> String? {
        let found = values.filter { $0.name == name }
        guard found.count <= 1 else { throw .field(name, "repeated", "may be given only once") }
        return found.first?.value
    }

    package func number(_ name: String, _ range: ClosedRange<Int>, default fallback: Int) throws(Refusal) -> Int {
        guard let text = try one(name) else { return fallback }
        guard let number = Int(text), range.contains(number) else {
            throw .field(name, "out_of_range", "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    package func choice<T: RawRepresentable & CaseIterable>(_ name: String, default fallback: T) throws(Refusal) -> T where T.RawValue == String {
        try choice(name, of: T.self) ?? fallback
    }

    package func choice<T: RawRepresentable & CaseIterable>(_ name: String, of _: T.Type) throws(Refusal) -> T? where T.RawValue == String {
        guard let text = try one(name) else { return nil }
        guard let choice = T(rawValue: text) else {
            throw .field(name, "unknown", "must be one of \(T.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }
}
