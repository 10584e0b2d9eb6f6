// SPDX-License-Identifier: Apache-2.0

package import Platform
package import SignalboxDocumentModel

extension DocumentView {
    /// Returns the IDs directly below a path, or at the top, that have documents at some depth below them, in order.
    ///
    ///     users/ann/orders/1   below the top: users,  below users: ann,  below users/ann: orders
    func ids(below parent: DocumentPath?, after: PathSegment?) throws -> [PathSegment] {
        let ids = isOrdered ? try file.ids(below: parent, app: app) : try earlierIDs(below: parent)
        return (after.map { last in ids.filter { last < $0 } } ?? Array(ids)).sorted()
    }

    private func earlierIDs(below parent: DocumentPath?) throws -> Set<PathSegment> {
        let depth = parent?.segments.count ?? 0
        var ids: Set<PathSegment> = []
        for collection in try file.collections(below: parent, app: app) where !ids.contains(collection.path.segments[depth]) {
            if try collection.documents > file.growth(of: collection.number, after: stamp.microseconds) {
                ids.insert(collection.path.segments[depth])
            }
        }
        return ids
    }

    /// Returns the first documents of a collection that are not there, but have documents below them.
    func missing(in collection: DocumentPath, after: PathSegment?, limit: Int) throws -> [DocumentPath] {
        var missing: [DocumentPath] = []
        for id in try ids(below: collection, after: after) where missing.count < limit {
            guard let path = DocumentPath(collection.segments + [id]), try document(path) == nil else { continue }
            missing.append(path)
        }
        return missing
    }
}

extension DocumentStore {
    /// Returns the first documents of a collection that are not there, but have documents below them. Throws `ReadFault`.
    package func missing(
        in collection: DocumentPath, after: PathSegment?, limit: Int, app: AppID, at time: DocumentTime
    ) async throws -> [DocumentPath] {
        try await read(app, at: time) { try $0.missing(in: collection, after: after, limit: limit) }
    }

    /// Returns names that divide the result of a query, in the order of names, into parts of about the same size: at most `count` names.
    ///
    /// A query over many documents keeps a sample of their names, so parts differ by a few of a thousand. Small results have no parts.
    package func partition(
        _ query: DocumentQuery, atMost count: Int, app: AppID, at time: DocumentTime? = nil
    ) async throws -> [DocumentPath] {
        try await read(app, at: time) { [gauges] view in
            var scan = try QueryScan(query, in: view, QueryBudget())
            defer { gauges.examined.add(scan.examined) }
            var sample = NameSample()
            try scan.each { _, document in sample.add(document.path) }
            return sample.parts(atMost: count)
        }
    }
}

/// Every n-th name of a result. The step doubles whenever the sample is full.
struct NameSample {
    private static let most = 8_192

    private var names: [DocumentPath] = []
    private var step = 1
    private var count = 0

    mutating func add(_ name: DocumentPath) {
        defer { count += 1 }
        guard count.isMultiple(of: step) else { return }
        names.append(name)
        guard names.count == NameSample.most else { return }
        names = stride(from: 0, to: names.count, by: 2).map { names[$0] }
        step *= 2
    }

    /// The names between parts, in order.
    func parts(atMost most: Int) -> [DocumentPath] {
        let parts = min(most + 1, count / DocumentBounds.partition)
        if parts < 2 { return [] }
        let sorted = names.sorted()
        return (1..<parts).map { sorted[$0 * sorted.count / parts] }
    }
}
