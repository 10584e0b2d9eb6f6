// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform

@testable import ingestd

/// The schemas of the OpenAPI document, with the keywords that the responses use.
struct JSONSchema {
    private static let described = Result { try JSONValue(OpenAPI.document) }

    private let document: JSONValue

    init() throws {
        document = try JSONSchema.described.get()
    }

    /// The value at a path of names, with all references resolved and members beside a reference merged.
    func value(_ path: String...) -> JSONValue {
        path.reduce(document) { resolved($0[$1] ?? .null) }
    }

    func resolved(_ schema: JSONValue) -> JSONValue {
        guard let reference = schema["$ref"]?.text else { return schema }
        let target = reference.dropFirst(2).split(separator: "/").reduce(document) { $0[String($1)] ?? .null }
        return .object(resolved(target).members.merging(schema.members.filter { $0.key != "$ref" }) { $1 })
    }

    /// The differences between a value and its schema. An unsupported keyword is a difference as well.
    func problems(of value: JSONValue, _ schema: JSONValue, at place: String = "$") -> [String] {
        resolved(schema).members.flatMap { word, rule in
            problems(value, word, rule, resolved(schema), place).map { "\(place): \($0)" }
        }
    }

    private func problems(_ value: JSONValue, _ word: String, _ rule: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        func unless(_ holds: Bool) -> [String] { holds ? [] : ["is not \(word) \(rule) but \(value)"] }
        let bound = rule.number ?? .nan
        switch word {
        case "description", "default", "examples": return []
        case "type": return unless((rule.items.isEmpty ? [rule] : rule.items).contains { value.has(type: $0.text ?? "") })
        case "enum": return unless(rule.items.contains(value))
        case "required": return rule.items.compactMap(\.text).filter { value[$0] == nil }.map { "has no \($0)" }
        case "additionalProperties": return others(than: (schema["properties"] ?? .null).members.keys, in: value, rule, place)
        case "unevaluatedProperties": return others(than: names(schema), in: value, rule, place)
        case "propertyNames": return value.members.keys.flatMap { problems(of: .text($0), rule, at: "\(place).\($0)") }
        case "allOf": return rule.items.flatMap { problems(of: value, $0, at: place) }
        case "const": return unless(value == rule)
        case "minProperties": return unless(Double(value.members.count) >= bound)
        case "maxProperties": return unless(Double(value.members.count) <= bound)
        case "minLength": return unless(Double(value.text?.unicodeScalars.count ?? 0) >= bound)
        case "maxLength": return unless(Double(value.text?.unicodeScalars.count ?? 0) <= bound)
        case "properties":
            return rule.members.flatMap { name, schema in value[name].map { problems(of: $0, schema, at: "\(place).\(name)") } ?? [] }
        case "items": return value.items.enumerated().flatMap { problems(of: $1, rule, at: "\(place)[\($0)]") }
        case "anyOf": return unless(rule.items.contains { problems(of: value, $0).isEmpty })
        case "not": return unless(!problems(of: value, rule).isEmpty)
        case "uniqueItems": return unless(value.items.enumerated().allSatisfy { !value.items.dropFirst($0 + 1).contains($1) })
        case "oneOf": return unless(rule.items.count { problems(of: value, $0).isEmpty } == 1)
        case "minItems": return unless(Double(value.items.count) >= bound)
        case "maxItems": return unless(Double(value.items.count) <= bound)
        case "minimum": return unless((value.number ?? bound) >= bound)
        case "maximum": return unless((value.number ?? bound) <= bound)
        case "pattern": return unless(value.text.map { $0.range(of: rule.text ?? "", options: .regularExpression) != nil } ?? true)
        case "format": return unless(rule.text == "date-time" && Timestamp(rfc3339: Array((value.text ?? "").utf8).span) != nil)
        default: return ["\(word) is not understood"]
        }
    }

    /// The differences of members without a listed name; all of them if none are allowed.
    private func others(than names: some Collection<String>, in value: JSONValue, _ rule: JSONValue, _ place: String) -> [String] {
        value.members.filter { !names.contains($0.key) }.flatMap { name, value in
            rule == .bool(false) ? ["\(place) may not have \(name)"] : problems(of: value, rule, at: "\(place).\(name)")
        }
    }

    /// The members that a schema and its parts name.
    private func names(_ schema: JSONValue) -> Set<String> {
        let parts = (schema["allOf"] ?? .null).items.map { names(resolved($0)) }
        return parts.reduce(Set((schema["properties"] ?? .null).members.keys)) { $0.union($1) }
    }
}

extension JSONValue {
    fileprivate func has(type: String) -> Bool {
        switch (type, self) {
        case ("object", .object), ("array", .list), ("string", .text), ("boolean", .bool), ("number", .number), ("null", .null): true
        case ("integer", .number(let number)): number == number.rounded()
        default: false
        }
    }
}
