// SPDX-License-Identifier: Apache-2.0

import JSON
import SignalboxDocumentModel

/// Aggregations over the result of a query.
extension ProtoReader {
    private static let counts = 1...5

    /// Reads one to five aggregations. Those without an alias are `field_1`, `field_2` and so on.
    func aggregates(_ index: Int?) throws(FirestoreFault) -> [FirestoreAggregation.Named] {
        let places = try elements(index)
        if places.isEmpty { throw .invalid("Aggregations can not be empty.") }
        guard ProtoReader.counts.contains(places.count) else { throw .invalid("Maximum number of aggregations is \(ProtoReader.counts.upperBound).") }
        var (named, unnamed) = ([FirestoreAggregation.Named](), 0)
        for place in places {
            let members = try message(place, "Aggregation", ["alias", "count", "sum", "avg"])
            var alias = try text(members["alias"]) ?? ""
            if alias.isEmpty {
                unnamed += 1
                alias = "field_\(unnamed)"
            }
            if alias.utf8.count >= 4, alias.hasPrefix("__"), alias.hasSuffix("__") { throw .invalid("The alias \"\(alias)\" is reserved.") }
            named.append(.init(alias: alias, aggregate: try aggregate(members)))
        }
        var aliases: Set<ExactName> = []
        for one in named where !aliases.insert(ExactName(one.alias)).inserted {
            throw .invalid("Aggregation aliases contain duplicate alias: \(one.alias).")
        }
        return named
    }

    private func aggregate(_ members: ProtoMembers) throws(FirestoreFault) -> Aggregate {
        let kinds = ["count", "sum", "avg"].filter { members[$0] != nil }
        guard kinds.count == 1, let content = members[kinds[0]] else { throw .invalid("An Aggregation has one operator.") }
        switch kinds[0] {
        case "count":
            guard let limit = try message(content, "Count", ["upTo"])["upTo"] else { return .count(upTo: nil) }
            let number = try integer(limit)
            if number <= 0 { throw .invalid("upTo must be greater than zero.") }
            return .count(upTo: Int(number))
        case "sum": return .sum(try aggregated(message(content, "Sum", ["field"])["field"]))
        default: return .average(try aggregated(message(content, "Avg", ["field"])["field"]))
        }
    }

    private func aggregated(_ index: Int?) throws(FirestoreFault) -> FieldPath {
        let field = try reference(index)
        if field.isName { throw .invalid("Aggregations are not supported for the property: __key__") }
        return field
    }
}
