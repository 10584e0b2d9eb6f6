// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel
import Testing

/// Reads a recorded query.
enum RecordedQuery {
    private typealias Recorded = RecordedAnswers

    private static let comparisons: [String: Comparison] = [
        "EQUAL": .equal, "NOT_EQUAL": .unequal, "LESS_THAN": .less, "LESS_THAN_OR_EQUAL": .atMost, "GREATER_THAN": .greater,
        "GREATER_THAN_OR_EQUAL": .atLeast, "IN": .isIn, "NOT_IN": .notIn, "ARRAY_CONTAINS": .contains, "ARRAY_CONTAINS_ANY": .containsAny,
    ]
    private static let unaryConditions: [String: UnaryCondition] = [
        "IS_NULL": .isNull, "IS_NAN": .isNaN, "IS_NOT_NULL": .isNotNull, "IS_NOT_NAN": .isNotNaN,
    ]

    static func read(_ recorded: RecordedAnswers.Object) throws -> DocumentQuery {
        let from = try #require(Recorded.list(recorded["from"]).first)
        var query = DocumentQuery(collection: PathSegment(Recorded.text(from["collectionId"])), everyDepth: Recorded.flag(from["allDescendants"]))
        query.filter = try recorded["where"].map(filter)
        query.orders = try Recorded.list(recorded["orderBy"]).map {
            .init(try Recorded.field($0["field"]), descending: Recorded.text($0["direction"]) == "DESCENDING")
        }
        (query.start, query.end) = (try cursor(recorded["startAt"]), try cursor(recorded["endAt"]))
        (query.limit, query.offset) = (Recorded.integer(recorded["limit"]), Recorded.integer(recorded["offset"]) ?? 0)
        return query
    }

    private static func cursor(_ recorded: Any?) throws -> DocumentQuery.Cursor? {
        guard recorded != nil else { return nil }
        return .init(try Recorded.values(recorded), isBefore: Recorded.flag(Recorded.object(recorded)["before"]))
    }

    private static func filter(_ recorded: Any?) throws -> Filter {
        let (kind, content) = try #require(Recorded.object(recorded).first.map { ($0.key, Recorded.object($0.value)) })
        let name = Recorded.text(content["op"])
        switch kind {
        case "unaryFilter": return .unary(try Recorded.field(content["field"]), try #require(unaryConditions[name]))
        case "fieldFilter":
            return .compare(try Recorded.field(content["field"]), try #require(comparisons[name]), try Recorded.value(content["value"]))
        default:
            let filters = try Recorded.list(content["filters"]).map(filter)
            return name == "AND" ? .and(filters) : .or(filters)
        }
    }
}
