// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel
import Testing

@testable import SignalboxDocuments

/// The places of changes: made in order, they turn the earlier result into the new one.
@Suite struct ViewChangesTests {
    /// All results of up to four documents with one of three numbers each, in order.
    private static func results(by orders: [DocumentQuery.Order]) throws -> [[ViewedDocument]] {
        var results: [[ViewedDocument]] = [[]]
        for id in 0..<4 {
            for result in results {
                for number in 0..<3 { results.append(result + [try document(id, number)]) }
            }
        }
        return results.map { sorted($0, by: orders) }
    }

    private static func orders(isDescending: Bool) throws -> [DocumentQuery.Order] {
        let field = try #require(FieldPath("n"))
        return [DocumentQuery.Order(field, descending: isDescending), DocumentQuery.Order(.name, descending: isDescending)]
    }

    private static func document(_ id: Int, _ number: Int) throws -> ViewedDocument {
        var fields = DocumentFields()
        fields["n"] = .integer(Int64(number))
        return ViewedDocument(path: try PathCheck.document("m/\(id)"), fields: fields, version: 1, created: 1, hasPendingWrites: false)
    }

    private static func sorted(_ documents: [ViewedDocument], by orders: [DocumentQuery.Order]) -> [ViewedDocument] {
        documents.sorted { DocumentQuery.order($0, $1, by: orders) == .before }
    }

    /// Compares all pairs of the 64 results of three documents, and every seventh pair with the fourth document.
    @Test(arguments: [false, true])
    func `changes made in order turn every result into every other one`(isDescending: Bool) throws {
        let orders = try Self.orders(isDescending: isDescending)
        let results = try Self.results(by: orders)
        #expect(results.count == 256)
        for (first, before) in results.enumerated() {
            for (second, after) in results.enumerated() where max(first, second) < 64 || (first + second).isMultiple(of: 7) {
                let changes = ViewChanges(from: before, to: after, withMetadata: false) { DocumentQuery.order($0, $1, by: orders) == .before }
                guard let mistake = Self.mistake(changes.all, before, after, orders) else { continue }
                Issue.record("\(mistake): \(Self.text(before)) to \(Self.text(after))")
            }
        }
    }

    /// Makes the changes on a list, with the places computed by sorting, and returns what differs.
    private static func mistake(
        _ changes: [ViewChanges.Change], _ before: [ViewedDocument], _ after: [ViewedDocument], _ orders: [DocumentQuery.Order]
    ) -> String? {
        var list = before
        for change in changes {
            let path = change.document.path
            if change.old != list.firstIndex(where: { $0.path == path }) { return "the old place of \(path)" }
            list.removeAll { $0.path == path }
            if change.new != nil { list = sorted(list + [change.document], by: orders) }
            if change.new != list.firstIndex(where: { $0.path == path }) { return "the new place of \(path)" }
        }
        if list != after { return "the list" }
        let ranks = changes.map { $0.new == nil ? 0 : $0.old == nil ? 1 : 2 }
        if ranks != ranks.sorted() { return "the order of kinds" }
        for rank in 0...2 {
            let documents = zip(ranks, changes).filter { $0.0 == rank }.map(\.1.document)
            if documents != sorted(documents, by: orders) { return "the order within a kind" }
        }
        let earlier = Dictionary(uniqueKeysWithValues: before.map { ($0.path, $0) })
        let modified = after.filter { earlier[$0.path]?.fields != $0.fields }.count
        let kept = Set(after.map(\.path))
        let removed = before.filter { !kept.contains($0.path) }.count
        return changes.count == modified + removed ? nil : "the number of changes"
    }

    private static func text(_ documents: [ViewedDocument]) -> String {
        documents.map { "\($0.path) \($0.fields.all.map(\.value))" }.joined(separator: ", ")
    }

    @Test func `documents change their places at once, and metadata alone counts if it is asked for`() throws {
        let before = try [0, 1, 2].map { try Self.document($0, $0) }
        let after = try [2, 1, 0].map { try Self.document($0, 2 - $0) }
        let orders = try Self.orders(isDescending: false)
        let moved = ViewChanges(from: before, to: after, withMetadata: false) { DocumentQuery.order($0, $1, by: orders) == .before }
        // 2 moves behind 0, whose change is not made yet; then 0 moves to the end.
        #expect(moved.all.map(\.old) == [2, 0] && moved.all.map(\.new) == [1, 2])
        let pending = before.map {
            ViewedDocument(path: $0.path, fields: $0.fields, version: $0.version, created: $0.created, hasPendingWrites: true)
        }
        let without = ViewChanges(from: before, to: pending, withMetadata: false) { DocumentQuery.order($0, $1, by: orders) == .before }
        #expect(without.all.isEmpty)
        let with = ViewChanges(from: before, to: pending, withMetadata: true) { DocumentQuery.order($0, $1, by: orders) == .before }
        #expect(with.all.map(\.old) == [0, 1, 2] && with.all.map(\.new) == [0, 1, 2])
    }
}
