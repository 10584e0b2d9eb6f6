// SPDX-License-Identifier: Apache-2.0

import Events
import Foundation
import Testing

@testable import ingestd

/// Compares the described parameters of each query with the accepted ones.
struct QueryExampleTests {
    private let schema: JSONSchema

    init() throws {
        schema = try JSONSchema()
    }

    @Test(arguments: QueryName.allCases)
    func `the described parameters of a query are those it accepts`(_ question: QueryName) {
        let operation = schema.value("paths", "/v1/query/\(question.rawValue)", "get")
        let parameters = (operation["parameters"]?.items ?? []).map(schema.resolved)
        #expect(parameters.compactMap { $0["name"]?.text } == ["app"] + question.fields.map(\.name))
        #expect(operation["summary"]?.text == question.summary)
        for field in question.fields {
            let parameter = parameters.first { $0["name"]?.text == field.name } ?? .null
            compare(parameter["schema"] ?? .null, field)
            #expect((parameter["required"] == .bool(true)) == (field.kind == .steps))
            #expect(parameter["description"] != nil)
        }
    }

    @Test(arguments: QueryName.allCases)
    func `the described body of a query has exactly its fields`(_ question: QueryName) {
        let operation = schema.value("paths", "/v1/query/\(question.rawValue)", "post")
        let body = schema.value("paths", "/v1/query/\(question.rawValue)", "post", "requestBody", "content", "application/json", "schema")
        #expect((operation["parameters"]?.items ?? []).map(schema.resolved).compactMap { $0["name"]?.text } == ["app"])
        #expect(operation["summary"]?.text == question.summary)
        #expect(Set((body["properties"] ?? .null).members.keys) == Set(question.fields.map(\.name)))
        #expect(body["additionalProperties"] == .bool(false))
        #expect((body["required"]?.items ?? []).compactMap(\.text) == question.fields.filter { $0.kind == .steps }.map(\.name))
        for field in question.fields { compare((body["properties"] ?? .null)[field.name] ?? .null, field) }
    }

    @Test func `the patterns of fields and filters cover every context field`() {
        let path = schema.value("components", "schemas", "FieldPath", "pattern").text ?? ""
        let filter = schema.value("components", "schemas", "Filter", "pattern").text ?? ""
        for name in EventContext.fields.map({ "context." + $0 }) + ["name", "params.a", "user.a.b"] {
            #expect(name.range(of: path, options: .regularExpression) != nil)
            for comparison in Filter.Comparison.allCases {
                #expect("\(name)\(comparison.rawValue)1".range(of: filter, options: .regularExpression) != nil)
            }
        }
        for name in ["names", "context.", "context.names", "params.", "user", "items", "context.platforms"] {
            #expect(name.range(of: path, options: .regularExpression) == nil)
            #expect("\(name)=1".range(of: filter, options: .regularExpression) == nil)
        }
    }

    private func compare(_ described: JSONValue, _ field: QueryField) {
        let described = schema.resolved(described)
        #expect(described["default"]?.plain == field.fallback, "\(field.name)")
        switch field.kind {
        case .choice(let values): #expect(described["enum"]?.items.compactMap(\.text) == values)
        case .number(let range):
            #expect(described["type"] == .text("integer"))
            #expect(described["minimum"]?.plain == String(range.lowerBound) && described["maximum"]?.plain == String(range.upperBound))
        case .moment: #expect(described["anyOf"] == schema.value("components", "schemas", "Moment")["anyOf"])
        case .paths: #expect(list(described)["maxItems"]?.plain == String(FieldPath.combined))
        case .metric:
            let schemas = described["anyOf"]?.items ?? []
            #expect(schemas.first?["enum"]?.items.compactMap(\.text) == QueryMetric.words)
            #expect(schemas.last?["pattern"]?.text?.hasPrefix("^(\(NumberMetric.form.prefix { $0 != "(" }))") == true)
        case .path: #expect(described["pattern"] == schema.value("components", "schemas", "FieldPath")["pattern"])
        case .text: #expect(described["type"] == .text("string") && described["maxLength"] == .number(1_000))
        case .zone: #expect(described["type"] == .text("string"))
        case .span: #expect(described["pattern"]?.text?.contains("[smhdw]") == true)
        case .filters: #expect(list(described)["maxItems"]?.plain == String(Filter.limit))
        case .steps:
            #expect(described["minItems"] == .number(2) && described["maxItems"]?.plain == String(FunnelQuery.stepsLimit))
        }
    }

    /// The list schema, or the list among its alternatives.
    private func list(_ described: JSONValue) -> JSONValue {
        (described["anyOf"]?.items ?? []).map(schema.resolved).first { $0["type"] == .text("array") } ?? described
    }
}
