// SPDX-License-Identifier: Apache-2.0

package import Events
package import Platform
import SQLite

extension Store {
    /// Answers a question about an app.
    package func ask(_ query: Query, app: AppID) async throws -> any Encodable & Sendable {
        let answer = try await answer(query, app)
        // The answer does not depend on it, and whoever asks next counts again where it failed.
        try? await savePeopleCounts()
        return answer
    }

    /// The answer alone; what was counted on the way to it is not kept yet.
    private func answer(_ query: Query, _ app: AppID) async throws -> any Encodable & Sendable {
        let cost: Readers.Cost = query.mayReadRows ? .large : .small
        return switch query {
        case .series(let query): try await ask(app, cost) { try $0.series(query) }
        case .top(let query): try await ask(app, cost) { try $0.top(query) }
        case .activeUsers(let query): try await ask(app, cost) { try $0.activeUsers(query) }
        case .retention(let query): try await ask(app, cost) { try $0.retention(query) }
        case .funnel(let query): try await ask(app, cost) { try $0.funnel(query) }
        case .revenue(let query): try await ask(app, cost) { try $0.revenue(query) }
        case .sessions(let query): try await ask(app, cost) { try $0.sessions(query) }
        case .lifecycle(let query): try await ask(app, cost) { try $0.lifecycle(query) }
        case .realtime(let query): try await ask(app, cost) { try $0.realtime(query) }
        case .crashFree(let query): try await ask(app, cost) { try $0.crashFree(query) }
        }
    }

    private func ask<Body>(
        _ app: AppID, _ cost: Readers.Cost, _ body: @escaping @Sendable (Asking) throws -> QueryAnswer<Body>
    ) async throws -> any Encodable & Sendable {
        let (hash, people) = (hash, people)
        do {
            return try await readers.read(cost) { try body(Asking(session: $0, app: app, hash: hash, kept: people, mayReadRows: cost == .large)) }
        } catch is RowsAreNeeded {
            return try await readers.read(.large) { try body(Asking(session: $0, app: app, hash: hash, kept: people)) }
        }
    }
}

/// What was thought to be quickly answered is not.
struct RowsAreNeeded: Error {}

/// One question on its way through the files; each kind of question adds its own in the file of its name.
struct Asking: Sendable {
    let session: ReadSession
    let app: AppID
    let hash: KeyedHash
    let kept: PeopleCounts
    /// Not where it is thought to be quickly answered, and stands in line with such.
    var mayReadRows = true

    func key(_ domain: KeyedHash.Domain, _ text: String) -> UInt64 {
        hash(domain, app: app, Array(text.utf8).span)
    }

    /// The files that hold events of the app which happened in a stretch of time.
    func days(from: Timestamp, to: Timestamp) throws -> [Day] {
        let (first, last) = (Day(of: from), Day(of: to - .init(milliseconds: 1)))
        let holds = try session.each(of: session.days()) { file, day in
            try file.statement("SELECT 1 FROM rollups WHERE app = ? AND metric = ? AND grain = ? AND bucket BETWEEN ? AND ? LIMIT 1").first(
                .integer(app.rawValue), .integer(RollupMetric.events.rawValue), .integer(Grain.day.rawValue), .integer(Int64(first.number)),
                .integer(Int64(last.number))
            ) { _ in day }
        }
        return holds.compactMap { $0 }
    }
}
