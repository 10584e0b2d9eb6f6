// SPDX-License-Identifier: Apache-2.0

import JSON
package import Platform
package import SignalboxDocumentModel

extension DocumentReading {
    /// Reads aggregates: `{"sold": {"sum": "amount"}, "orders": {"count": true}, "some": {"count": 1000}}`.
    package func aggregates() throws(Refusal) -> [(name: String, aggregate: Aggregate)] {
        guard let place = self["aggregates"] else { throw missing("aggregates") }
        let list = try DocumentReading(tape, at: place, named: "aggregates")
        guard (1...5).contains(list.memberNames.count) else { throw refuse("aggregates", "must have one to five members") }
        return try list.memberNames.map { name throws(Refusal) in
            guard let place = list[name] else { throw list.missing(name) }
            return (name, try DocumentReading(tape, at: place, named: list.place(name)).aggregate())
        }
    }

    private func aggregate() throws(Refusal) -> Aggregate {
        try allow("count", "sum", "avg", "min", "max")
        guard memberNames.count == 1 else { throw DocumentReading.wrong(name, "must have one of count, sum, avg, min and max") }
        if let place = self["count"] {
            if tape[place].kind == .true { return .count(upTo: nil) }
            return .count(upTo: try number("count", 1...Int64(Int32.max)).map { Int($0) })
        }
        let member = memberNames[0]
        guard let text = try text(member), let field = FieldPath(text) else { throw refuse(member, "must be the path of a field") }
        switch member {
        case "sum": return .sum(field)
        case "avg": return .average(field)
        case "min": return .minimum(field)
        default: return .maximum(field)
        }
    }
}
