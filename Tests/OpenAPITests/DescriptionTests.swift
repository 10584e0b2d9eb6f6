// SPDX-License-Identifier: Apache-2.0

import Events
import Foundation
import HTTPServer
import Platform
import Testing

@testable import ingestd

struct DescriptionTests {
    private let description: Description

    init() throws {
        description = try Description()
    }

    @Test func `the document describes exactly the routes`() {
        #expect(Set(description.operations.keys) == Set(Routes.all.map(\.name)))
    }

    @Test func `every operation has a unique ID`() {
        let ids = description.operations.values.compactMap { $0["operationId"] as? String }
        #expect(ids.count == Routes.all.count && Set(ids).count == ids.count)
    }

    @Test func `an operation names the role of its route`() throws {
        let operations = description.operations
        for route in Routes.all {
            let operation = try #require(operations[route.name])
            #expect(operation["x-role"] as? String == route.access.role, "\(route.name)")
            #expect((operation["tags"] as? [String])?.contains("operator") == (route.access == .operatorOnly), "\(route.name)")
        }
    }

    @Test func `the tag integrations marks exactly the integrations' operations`() {
        let tagged = description.operations.filter { ($0.value["tags"] as? [String])?.contains("integrations") ?? false }
        #expect(Set(tagged.keys) == Set(Integrations.all.flatMap(\.routes).map(\.name)))
    }

    @Test(arguments: Integrations.all)
    func `an integration has its own error format and is in the migration guide`(_ integration: Integration) throws {
        #expect(integration.routes.allSatisfy { $0.refusalForm != nil })
        let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../docs/get-started/migrate.md")
        #expect(try String(contentsOf: guide, encoding: .utf8).contains(integration.name), "\(integration.name)")
    }

    @Test func `an operation requires a key if its route does`() throws {
        let operations = description.operations
        for route in Routes.all {
            let operation = try #require(operations[route.name])
            let responses = try #require(operation["responses"] as? [String: Any])
            let isOpen = (operation["security"] as? [Any])?.isEmpty ?? false
            #expect(isOpen == [.open, .operatorOnly, .emulator].contains(route.access), "\(route.name)")
            // Sentry's SDKs expect 403.
            let refused = if case .integration(let key) = route.access, [.sentry, .sentryEnvelope].contains(key.place) { "403" } else { "401" }
            #expect((responses[refused] != nil) == !isOpen, "\(route.name)")
        }
    }

    @Test func `every error code is described with its status`() {
        let codes = Set(Refusal.Code.allCases.map(\.rawValue))
        #expect(Set(description.texts("components", "schemas", "Problem", "properties", "code", "enum")) == codes)
        #expect(statuses == Set(Refusal.Code.allCases.map { "\($0.status) \($0.rawValue)" }))
    }

    @Test func `every reason is described with Firebase's number`() {
        #expect(Set(description.texts("components", "schemas", "Reason", "enum")) == Set(Reason.allCases.map(\.rawValue)))
        let pairs = description.objects("components", "schemas", "ReasonWithNumber", "oneOf").compactMap { choice -> String? in
            let properties = choice["properties"] as? [String: [String: Any]]
            guard let code = properties?["code"]?["const"], let number = properties?["number"]?["const"] else { return nil }
            return "\(code) \(number)"
        }
        #expect(Set(pairs) == Set(Reason.allCases.compactMap { reason in reason.number.map { "\(reason.rawValue) \($0)" } }))
    }

    @Test func `every setting is described and required in responses`() {
        let names = Set(AppSettings.fields.map(\.name))
        #expect(Set(description.object("components", "schemas", "Settings", "properties").keys) == names)
        #expect(Set(description.texts("components", "schemas", "App", "properties", "settings", "required")) == names)
    }

    @Test(arguments: AppSettings.fields.map(\.name))
    func `a setting is described with its range and default`(_ name: String) throws {
        let field = try #require(AppSettings.field(named: name))
        let schema = description.object("components", "schemas", "Settings", "properties", name)
        let text = field.text(in: AppSettings())
        switch field.kind {
        case .number(let range):
            #expect(schema["minimum"] as? Int == range.lowerBound)
            #expect(schema["maximum"] as? Int == range.upperBound)
            #expect(schema["default"] as? Int == Int(text))
        case .flag: #expect(schema["default"] as? Bool == (text == "true"))
        case .zone, .project: #expect(schema["default"] as? String == text)
        case .choice(let words): #expect(schema["enum"] as? [String] == words && schema["default"] as? String == text)
        case .words(let words):
            #expect((schema["items"] as? [String: Any])?["enum"] as? [String] == words && schema["default"] as? [String] == [])
        case .list, .origins: #expect((schema["default"] as? [String])?.joined(separator: ",") == text)
        }
    }

    @Test func `every context field is described for events, query parameters and exports`() {
        let fields = Set(EventContext.fields)
        #expect(Set(description.object("components", "schemas", "Context", "properties").keys) == fields)
        #expect(Set(description.object("components", "schemas", "StoredEvent", "properties", "context", "properties").keys) == fields)
        let parameters = description.object("components", "parameters").values.compactMap { ($0 as? [String: Any])?["name"] as? String }
        #expect(Set(parameters).isSuperset(of: fields.map { "context." + $0 }))
    }

    /// The status and code of every shared error response.
    private var statuses: Set<String> {
        var found: Set<String> = []
        for name in description.object("components", "responses").keys {
            let schema = description.object("components", "responses", name, "content", "application/problem+json", "schema", "properties")
            guard let status = (schema["status"] as? [String: Any])?["const"], let code = schema["code"] as? [String: Any] else { continue }
            let codes = code["enum"] as? [String] ?? [code["const"] as? String].compactMap(\.self)
            found.formUnion(codes.map { "\(status) \($0)" })
        }
        return found
    }
}

extension Route {
    fileprivate var name: String { "\(method.name) \(pattern)" }
}

extension Route.Access {
    fileprivate var role: String {
        switch self {
        case .open: "none"
        case .metrics: "metrics"
        case .anyKey: "any"
        case .user, .formerUser: "user"
        case .roles(let roles), .rolesOrAnyone(let roles): roles.map(\.rawValue).joined(separator: ", ")
        case .integration(let key): key.roles.map(\.rawValue).joined(separator: ", ")
        case .operatorOnly: "operator"
        case .emulator: "emulator"
        }
    }
}
