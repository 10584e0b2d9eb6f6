// SPDX-License-Identifier: Apache-2.0

import API
import Foundation
import HTTPServer
import Platform
import Testing

@testable import ingestd

/// Compares the types of the module API with the schemas of the OpenAPI document.
struct ResponseTypeTests {
    private let schema: JSONSchema

    init() throws {
        schema = try JSONSchema()
    }

    @Test func `every JSON response of our own routes has a type, and every type belongs to one`() {
        let described = Routes.all.filter(\.isOurs).filter { !responses($0.method.name, $0.pattern).isEmpty }.map {
            "\($0.method.name) \($0.pattern)"
        }
        #expect(Set(described) == Set(ResponseTypes.byOperation.keys).union(ResponseTypes.ofQueries).union(ResponseTypes.ofDocuments))
    }

    /// A type may serve several operations, such as a list and a single item: the members of all its schemas are its own; a member
    /// is optional if one of the schemas does not require it.
    @Test func `the members of each type match its schemas`() throws {
        var usage = TypeUsage()
        for (operation, type) in ResponseTypes.byOperation {
            let words = operation.split(separator: " ")
            for described in responses(String(words[0]), String(words[1])) {
                let sample = try JSONEncoder().encode(schema.sample(described))
                usage.note(try ResponseTypes.decode([UInt8](sample), as: type), described, schema)
            }
        }
        usage.note(
            try ResponseTypes.decode([UInt8](JSONEncoder().encode(schema.sample(problem))), as: ProblemResponse.self), problem, schema)
        #expect(usage.types > 60 && usage.names > 100)
        #expect(usage.problems == [])
    }

    private var problem: JSONValue { schema.value("components", "schemas", "Problem") }

    /// The schemas of an operation's successful JSON responses.
    private func responses(_ method: String, _ pattern: String) -> [JSONValue] {
        schema.value("paths", pattern, method.lowercased(), "responses").members.compactMap { status, _ in
            guard status.hasPrefix("2") else { return nil }
            let described = schema.value(
                "paths", pattern, method.lowercased(), "responses", status, "content", "application/json", "schema")
            return described == .null ? nil : described
        }
    }
}

extension Route {
    /// Whether the route belongs neither to an integration nor to the document itself.
    fileprivate var isOurs: Bool {
        if case .integration = access { return false }
        if FirebaseAuth.integration.routes.contains(where: { $0.pattern == pattern }) { return false }
        return pattern != "/v1/openapi.json" && pattern != "/token" && !pattern.hasPrefix("/api/0/")
    }
}

/// The members of each type and the schemas that describe them.
private struct TypeUsage {
    private struct Member {
        var isOptional: Bool
        var schemas = 0
        var requiring = 0
    }

    private var members: [String: [String: Member]] = [:]
    private var values: [String: Int] = [:]
    private var unknown: Set<String> = []
    /// The number of state and kind names that were checked.
    private(set) var names = 0
    /// Whether the value is one of several parts of an object.
    private var isPart = false

    var types: Int { members.count }

    var problems: [String] {
        let found = members.flatMap { type, members in
            members.compactMap { name, member -> String? in
                if member.schemas == 0 { return "\(type).\(name) is in no schema" }
                let isAlways = member.requiring == values[type]
                return isAlways == member.isOptional ? "\(type).\(name) is \(isAlways ? "always required" : "not always required")" : nil
            }
        }
        return (found + unknown).sorted()
    }

    mutating func note(_ value: Any, _ schema: JSONValue, _ document: JSONSchema) {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: mirror.children.first.map { note($0.value, schema, document) }
        case .enum:
            // The sample of a timeline item has the members of all variants and is decoded as a message.
            let isItem = mirror.subjectType == TimelineItem.self
            let variant = isItem ? document.variant(of: schema, with: "message") : schema
            if "\(mirror.subjectType)".hasPrefix("Named<") { noteNames(type(of: value), schema, document) }
            mirror.children.first.map { note($0.value, variant, document) }
        case .collection:
            let items = document.resolved(schema)["items"] ?? .null
            mirror.children.first.map { note($0.value, items, document) }
        case .struct where !mirror.children.isEmpty && !"\(mirror.subjectType)".hasPrefix("Moment"): noteObject(mirror, schema, document)
        default: break
        }
    }

    /// Notes each name of a schema that the type treats as one of a newer daemon.
    private mutating func noteNames(_ type: Any.Type, _ schema: JSONValue, _ document: JSONSchema) {
        guard let type = type as? any (Codable & Sendable).Type else { return }
        for name in document.resolved(schema)["enum"]?.items.compactMap(\.text) ?? [] {
            let isKnown = (try? ResponseTypes.decode(Array("\"\(name)\"".utf8), as: type)).map {
                Mirror(reflecting: $0).children.first?.label == "known"
            }
            names += 1
            if isKnown != true { unknown.insert("\(type) does not know \(name)") }
        }
    }

    private mutating func noteObject(_ mirror: Mirror, _ schema: JSONValue, _ document: JSONSchema) {
        let type = String(reflecting: mirror.subjectType)
        if type.hasPrefix("API.Members<") { return noteMembers(mirror, schema, document) }
        // Reports and notifications have more members than our types read.
        if ["API.CrashReport", "API.NotificationResponse", "API.AnyText"].contains(type) { return }
        let labels = mirror.children.compactMap(\.label)
        if TypeUsage.together.contains(labels) { return noteTogether(mirror, schema, document) }
        let (properties, required) = document.members(of: schema)
        guard !properties.isEmpty else { return }
        noteMembers(of: mirror, type, properties, required, document)
        let names = Set(labels.map(\.snakeCase))
        // Stickiness is computed from other members.
        for name in properties.keys where !names.contains(name) && !isPart && name != "stickiness" { unknown.insert("\(type) has no \(name)") }
    }

    /// Types whose values encode the members of their parts side by side.
    private static let together = [["about", "body"], ["profile", "timeline"], ["profile", "lists"], ["t", "figures"], ["user", "standing"]]

    private mutating func noteMembers(
        of mirror: Mirror, _ type: String, _ properties: [String: JSONValue], _ required: Set<String>, _ document: JSONSchema
    ) {
        values[type, default: 0] += 1
        for child in mirror.children {
            guard let label = child.label else { continue }
            let name = label.snakeCase
            var member = members[type]?[name] ?? Member(isOptional: Mirror(reflecting: child.value).displayStyle == .optional)
            member.schemas += properties[name] == nil ? 0 : 1
            member.requiring += required.contains(name) ? 1 : 0
            members[type, default: [:]][name] = member
            if let property = properties[name] {
                let wasPart = isPart
                isPart = false
                note(child.value, property, document)
                isPart = wasPart
            }
        }
    }

    private mutating func noteMembers(_ mirror: Mirror, _ schema: JSONValue, _ document: JSONSchema) {
        guard let item = document.resolved(schema)["additionalProperties"], !item.members.isEmpty else { return }
        for pair in mirror.children {
            for element in Mirror(reflecting: pair.value).children.prefix(1) {
                Mirror(reflecting: element.value).children.first { $0.label == "value" }.map { note($0.value, item, document) }
            }
        }
    }

    /// Notes an object that consists of two parts; together they must have all of its members.
    private mutating func noteTogether(_ mirror: Mirror, _ schema: JSONValue, _ document: JSONSchema) {
        var names: Set<String> = []
        for part in mirror.children {
            isPart = true
            note(part.value, schema, document)
            isPart = false
            names.formUnion(Mirror(reflecting: part.value).children.compactMap { $0.label?.snakeCase })
            names.insert(part.label ?? "")
        }
        for name in document.members(of: schema).properties.keys where !names.contains(name) {
            unknown.insert("\(mirror.subjectType) has no \(name)")
        }
    }
}

extension String {
    fileprivate var snakeCase: String {
        reduce(into: "") { text, character in
            if character.isUppercase && !text.isEmpty { text += "_" }
            text += character.lowercased()
        }
    }
}

extension JSONSchema {
    /// The variant of a schema that has a member.
    fileprivate func variant(of schema: JSONValue, with name: String) -> JSONValue {
        let variants = resolved(schema)["oneOf"]?.items ?? resolved(schema)["anyOf"]?.items ?? []
        return variants.first { members(of: $0).properties[name] != nil } ?? schema
    }

    /// The members that any variant of an object may have, and those that all variants require.
    fileprivate func members(of schema: JSONValue) -> (properties: [String: JSONValue], required: Set<String>) {
        let schema = resolved(schema)
        var properties = schema["properties"]?.members ?? [:]
        var required = Set(schema["required"]?.items.compactMap(\.text) ?? [])
        for part in schema["allOf"]?.items ?? [] {
            let found = members(of: part)
            properties.merge(found.properties) { first, _ in first }
            required.formUnion(found.required)
        }
        for word in ["oneOf", "anyOf"] {
            let variants = (schema[word]?.items ?? []).map(members)
            for variant in variants { properties.merge(variant.properties) { first, _ in first } }
            if let first = variants.first { required.formUnion(variants.dropFirst().reduce(first.required) { $0.intersection($1.required) }) }
        }
        return (properties, required)
    }

    /// A value with every member that a schema names.
    fileprivate func sample(_ schema: JSONValue) -> JSONValue {
        let schema = resolved(schema)
        if let value = schema["const"] ?? schema["enum"]?.items.first { return value }
        let properties = members(of: schema).properties
        // Our types read parts of a report only, so nothing in it is compared.
        if !properties.isEmpty {
            return .object(Dictionary(uniqueKeysWithValues: properties.map { ($0, $0 == "report" ? .object([:]) : sample($1)) }))
        }
        if let variant = (schema["oneOf"] ?? schema["anyOf"] ?? schema["allOf"])?.items.first { return sample(variant) }
        switch schema["type"]?.text ?? schema["type"]?.items.first?.text {
        case "string": return .text(schema["format"]?.text == "date-time" ? "2026-01-01T00:00:00.000Z" : "1")
        case "integer", "number": return .number(1)
        case "boolean": return .bool(true)
        case "array": return .list([sample(schema["items"] ?? .null)])
        case "object":
            guard let item = schema["additionalProperties"], !item.members.isEmpty else { return .object([:]) }
            return .object(["name": sample(item)])
        default: return .text("1")
        }
    }
}

extension JSONValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }
}
