// SPDX-License-Identifier: Apache-2.0

import JSON
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct CollectionPaneTests {
    private static let denied = RequestError(kind: .denied, what: "The role of this key does not allow this.")

    private static func shown(
        at place: String = "documents", _ keys: [Key] = [], _ size: Size = Size(120, 40), answers: [String: String] = SampleCollections.all()
    ) throws -> Dashboard {
        try .sample(at: place, keys, size, answers: answers)
    }

    private static func lines(_ dashboard: Dashboard) -> [String] { DashboardView(dashboard).frame().lines }

    /// The words of the row that begins with a word, without the mark of the selected one.
    private static func row(_ first: String, _ dashboard: Dashboard) -> [String]? {
        lines(dashboard).map { $0.split(separator: " ").filter { $0 != ">" }.map(String.init) }.first { $0.first == first }
    }

    private static func fail(_ dashboard: inout Dashboard, _ name: String, _ error: RequestError) {
        for query in dashboard.queries where query.name == name {
            _ = dashboard.handle(.received(query.request, .failure(error), dashboard.now))
        }
    }

    // MARK: Frames

    private static let places: [(name: String, place: String, keys: [Key])] = [
        ("collection", "path users", [.down]), ("collection-group", "path **/orders", []), ("document", "path users/ann", [.down, .down, .down]),
        ("document-collections", "path users/ann", [.character("v")]),
    ]

    @Test(arguments: places, [Size(80, 24), Size(120, 40)])
    func `collections and documents match their golden frames at each size`(place: (name: String, place: String, keys: [Key]), size: Size) throws {
        var dashboard = try Self.shown(at: place.place, place.keys, size)
        try GoldenFrame.check(DashboardView(dashboard).frame(), "\(place.name)-\(size.width)x\(size.height)")
        dashboard.expectStandsEverySize(widthsBy: 13)
    }

    // MARK: Collections

    @Test func `enter opens all collections with an ID, or the only one`() throws {
        let orders = try Self.shown([.enter])
        let query = try #require(orders.pane.queries(orders.options).first?.request)
        #expect(query.target == "/v1/documents:query")
        #expect(String(decoding: query.json ?? [], as: UTF8.self) == #"{"from":"orders","group":true,"limit":25}"#)
        #expect(Self.row("users/ann/orders/7", orders)?.last == #"state="paid""#)
        let users = try Self.shown([.down, .enter])
        let list = try #require(users.pane.queries(users.options).first?.request)
        #expect(list.target == "/v1/documents/users?limit=25" && list.json == nil)
        #expect(Self.lines(users).contains { $0.contains("─ Collection users") && $0.contains("the first 3") })
        #expect(Self.lines(users).contains { $0.contains(#"address=1 field, name="Ann", tags=2 elements, visits=3"#) })
    }

    @Test func `a collection that is not at the top is found by its ID`() throws {
        var answers = SampleCollections.all()
        answers["documents"] = #"{"items": []}"#
        let dashboard = try Self.shown([.down, .enter], answers: answers)
        #expect(dashboard.queries.contains { String(decoding: $0.request.json ?? [], as: UTF8.self).contains(#""from":"users","group":true"#) })
        var tick = dashboard
        try tick.answer(tick.handle(.tick(tick.now)), answers, at: tick.now)
        #expect(Self.lines(tick).contains { $0.contains("users/ann/orders/7") })
    }

    @Test func `further pages follow the cursor, of a group behind the path of its last document`() throws {
        let users = try Self.shown(at: "path users", [.down, .down])
        #expect(users.queries.map(\.request.target).contains("/v1/documents/users?limit=25&after=empty"))
        let page = (10..<35).map { #"{"path": "users/ann/orders/\#($0)", "fields": {}, "version": 1, "created": 1}"# }
        var answers = SampleCollections.all()
        answers["group_documents"] = #"{"stamp": 1, "documents": [\#(page.joined(separator: ","))]}"#
        let orders = try Self.shown(at: "path **/orders", [.end], answers: answers)
        let bodies = orders.queries.compactMap { $0.request.json.map { String(decoding: $0, as: UTF8.self) } }
        #expect(bodies.last == #"{"from":"orders","group":true,"limit":25,"startAfter":[{"$ref":"users/ann/orders/34"}]}"#)
    }

    @Test func `documents that are too large for a usual page come in small ones`() throws {
        var dashboard = try Self.shown(at: "path users", answers: SampleCollections.all().filter { $0.key != "documents" })
        Self.fail(&dashboard, "documents", RequestError(kind: .tooLarge, what: "Too large"))
        #expect(dashboard.queries.contains { $0.request.target == "/v1/documents/users?limit=2" })
        let users = try #require(SampleCollections.all()["documents"])
        try dashboard.answer(dashboard.handle(.tick(dashboard.now)), ["large_documents": users], at: dashboard.now)
        #expect(Self.lines(dashboard).contains { $0.contains(#"name="Ann""#) })
    }

    @Test func `a further page that is too large comes as a small one`() throws {
        let page = (10..<35).map { #"{"path": "users/\#($0)", "fields": {}, "version": 1, "created": 1}"# }.joined(separator: ",")
        var answers = SampleCollections.all()
        (answers["documents"], answers["documents_2"]) = (#"{"items": [\#(page)], "next": "34"}"#, nil)
        var dashboard = try Self.shown(at: "path users", [.end], answers: answers)
        Self.fail(&dashboard, "documents_2", RequestError(kind: .tooLarge, what: "Too large"))
        #expect(dashboard.queries.contains { $0.request.target == "/v1/documents/users?limit=2&after=34" })
        let zoe = #"{"items": [{"path": "users/zoe", "fields": {}, "version": 1, "created": 1}]}"#
        try dashboard.answer(dashboard.handle(.tick(dashboard.now)), ["large_documents_2": zoe], at: dashboard.now)
        #expect(Self.row("34", dashboard) != nil && Self.row("zoe", dashboard) != nil)
    }

    @Test func `a key without the role is told what to do`() throws {
        let answers = SampleCollections.all().merging(["app": SampleResponses.app]) { $1 }
        let pane = try Self.shown([.enter], answers: answers)
        #expect(pane.pane.title == "Documents" && pane.notice?.text.contains("--key-file") == true)
        for place in ["path users", "path users/ann"] {
            let dashboard = try Self.shown(at: place, answers: answers)
            #expect(Self.lines(dashboard).contains { $0.contains("A key with the role read cannot read documents.") }, "\(place)")
            #expect(!Self.lines(dashboard).contains { $0.contains("Bonn") }, "\(place)")
        }
    }

    @Test func `a data key, which gets no figures, gets the collections at the top`() throws {
        let answers = SampleCollections.all().filter { !["app", "document_statistics"].contains($0.key) }
        var dashboard = try Self.shown(answers: answers)
        #expect(!dashboard.queries.contains { $0.name == "collections" })
        Self.fail(&dashboard, "app", Self.denied)
        Self.fail(&dashboard, "document_statistics", Self.denied)
        try dashboard.answer(dashboard.handle(.tick(dashboard.now)), answers, at: dashboard.now)
        #expect(Self.row("carts", dashboard) == ["carts"])
        #expect(try Export(dashboard).sheet().rows == [["carts"], ["orders"]])
        try dashboard.press(.down, answers)
        try dashboard.press(.enter, answers)
        #expect(dashboard.pane.queries(dashboard.options).first?.request.target == "/v1/documents/orders?limit=25")
    }

    @Test func `the sheet has all fields as JSON`() throws {
        let sheet = try Export(try Self.shown(at: "path users")).sheet()
        let json = #"{"address": {"city": "Bonn"}, "name": "Ann", "tags": ["a", "b"], "visits": 3}"#
        #expect(sheet.headings == ["path", "version", "created_at", "updated_at", "fields"])
        #expect(sheet.rows.first == ["users/ann", "1795260480000001", "2026-11-20T18:40:00.000Z", "2026-11-21T11:28:00.000Z", json])
    }

    // MARK: Documents

    @Test func `a document shows each value with its type, with maps and arrays below them`() throws {
        let dashboard = try Self.shown(at: "path users", [.enter])
        #expect(dashboard.pane.title == "Document" && Self.lines(dashboard).contains { $0.contains("─ Document users/ann") })
        let expected: [(String, [String])] = [
            ("`$price`", ["double", "9.5"]), ("`a.b`", ["string", #""dotted""#]), ("active", ["boolean", "true"]),
            ("address", ["map", "2", "fields"]),
            ("city", ["string", #""Bonn""#]), ("geo", ["geo", "point", "50.7,", "7.1"]), ("nothing", ["null", "null"]),
            ("photo", ["bytes", "2", "bytes", "AAE="]), ("rate", ["double", "NaN"]), ("since", ["timestamp", "2026-11-23T10:00:00.000001Z"]),
            ("tags", ["array", "2", "elements"]), ("[0]", ["string", #""a""#]), ("n", ["integer", "1"]), ("team", ["reference", "teams/t1"]),
            ("vector", ["vector", "5", "dimensions", "0.5,", "1,", "2,", "3,", "…"]), ("visits", ["integer", "3"]),
            ("whole", ["double", "2.0"]),
        ]
        for (name, words) in expected { #expect(Self.row(name, dashboard) == [name] + words) }
        let note = #""line 1\nline 2\u{7}\u{202e}\u{1b}[31m""#
        #expect(Self.row("note", dashboard)?.dropFirst(2).joined(separator: " ") == note)
    }

    @Test func `a document that is not there has the collections below it`() throws {
        var dashboard = try Self.shown(at: "path users/ann", answers: SampleCollections.all().filter { $0.key != "document" })
        Self.fail(&dashboard, "document", RequestError(kind: .unknown, what: "There is no such document."))
        #expect(Self.lines(dashboard).contains { $0.contains("There is no such document.") })
        for key in [Key.character("v"), .down, .enter] { try dashboard.press(key, SampleCollections.all()) }
        #expect(dashboard.pane.queries(dashboard.options).first?.request.target == "/v1/documents/users/ann/orders?limit=25")
    }

    @Test func `enter shows a whole value, and back leads to the document and its collection`() throws {
        var dashboard = try Self.shown(at: "path users/ann", [.down, .down, .down, .enter])
        #expect(Self.lines(dashboard).contains { $0.contains(#""city": "Bonn""#) })
        try dashboard.press(.escape, SampleCollections.all())
        #expect(dashboard.pane.title == "Document")
        #expect(try Export(dashboard).sheet().rows[3] == ["address", "map", #"{"city": "Bonn", "geo": {"$geo": [50.7, 7.1]}}"#])
    }

    @Test func `fields whose names look alike have different paths`() throws {
        let fields = #"{"\n": 1, "\\n": 2, "a b": {"c d": 3}, "a b`.`c d": 4}"#
        let paths = FieldLines(try JSONValue(Array(fields.utf8))).lines.map(\.path)
        #expect(paths == [#"`\n`"#, #"`\\n`"#, "`a b`", "`a b`.`c d`", #"`a b\`.\`c d`"#])
    }

    @Test func `a document with very many values is cut`() throws {
        var answers = SampleCollections.all()
        let values = Array(repeating: "1", count: 5_000).joined(separator: ",")
        answers["document"] = #"{"path": "users/ann", "version": 1, "created": 1, "fields": {"all": [\#(values)], "next": 1}}"#
        let dashboard = try Self.shown(at: "path users/ann", [.end], answers: answers)
        #expect(Self.lines(dashboard).contains { $0.contains("first 1000") } && Self.lines(dashboard).contains { $0.contains("[998]") })
    }

    @Test func `a path names a document, a collection, or all collections with an ID`() {
        #expect(DocumentPlace("users/ann/") == .document("users/ann") && DocumentPlace("/users") == .collection("users"))
        #expect(DocumentPlace("users/ann/orders") == .collection("users/ann/orders") && DocumentPlace("**/orders") == .group("orders"))
        #expect(DocumentPlace.route("users/a b%") == "/v1/documents/users/a%20b%25")
    }
}
