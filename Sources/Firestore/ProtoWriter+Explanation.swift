// SPDX-License-Identifier: Apache-2.0

import JSON
package import SignalboxDocumentModel

/// How a result was found.
package struct FirestoreExplained: Sendable {
    /// The counts and the time of a query that was run.
    package struct Statistics: Sendable {
        package let results: Int
        package let examined: Int
        package let duration: Duration

        package init(results: Int, examined: Int, duration: Duration) {
            (self.results, self.examined, self.duration) = (results, examined, duration)
        }
    }

    /// The indexes that were read; none if all documents of the collections were.
    package let indexes: [IndexShape]
    package let isGroup: Bool
    /// Nil if the query was not run.
    package let statistics: Statistics?

    package init(indexes: [IndexShape], of query: DocumentQuery, _ statistics: Statistics?) {
        (self.indexes, isGroup, self.statistics) = (indexes, query.everyDepth, statistics)
    }
}

/// Explanations of queries.
extension ProtoWriter {
    /// Writes the last element of an explained answer. Nothing is billed, so a read operation is a document of the result.
    ///
    ///     {"explainMetrics": {"planSummary": {"indexesUsed": [{"query_scope": "Collection", "properties": "(city ASC, __name__ ASC)"}]}}}
    package mutating func explained(_ explained: FirestoreExplained, at time: DocumentTime?) {
        json.beginObject()
        if let time { json.field("readTime", time.rfc3339) }
        json.key("explainMetrics")
        json.beginObject()
        json.key("planSummary")
        json.beginObject()
        json.key("indexesUsed")
        json.beginArray()
        let properties = explained.indexes.isEmpty ? ["(__name__ ASC)"] : explained.indexes.map(ProtoWriter.properties)
        for properties in properties {
            json.beginObject()
            json.field("query_scope", explained.isGroup ? "Collection group" : "Collection")
            json.field("properties", properties)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        if let statistics = explained.statistics { write(statistics) }
        json.endObject()
        json.endObject()
    }

    private static func properties(_ shape: IndexShape) -> String {
        var parts = shape.fields.map { field in
            switch field.kind {
            case .ascending: "\(field.path) ASC"
            case .descending: "\(field.path) DESC"
            case .contains: "\(field.path) CONTAINS"
            }
        }
        parts.append(shape.fields.last?.kind == .descending ? "__name__ DESC" : "__name__ ASC")
        return "(" + parts.joined(separator: ", ") + ")"
    }

    private mutating func write(_ statistics: FirestoreExplained.Statistics) {
        json.key("executionStats")
        json.beginObject()
        json.field("resultsReturned", String(statistics.results))
        json.field("executionDuration", ProtoWriter.seconds(statistics.duration))
        json.field("readOperations", String(statistics.results))
        json.key("debugStats")
        json.beginObject()
        json.key("billing_details")
        json.beginObject()
        json.field("documents_billable", String(statistics.results))
        json.endObject()
        json.field("documents_scanned", String(statistics.examined))
        json.field("index_entries_scanned", String(statistics.examined))
        json.endObject()
        json.endObject()
    }

    /// A duration as ProtoJSON writes it.
    ///
    ///     1.5 ms   →   0.001500s
    private static func seconds(_ duration: Duration) -> String {
        let (seconds, rest) = duration.components
        let microseconds = String(rest / 1_000_000_000_000)
        return "\(seconds)." + String(repeating: "0", count: 6 - microseconds.utf8.count) + microseconds + "s"
    }
}
