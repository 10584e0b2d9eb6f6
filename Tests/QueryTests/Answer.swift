// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform
import AcrossStores

/// A query result as bytes, with its properties.
struct Answer: Equatable {
    var about: ResultRange
    var body: [UInt8]

    private init(_ answer: RangedResult<some Codable & Sendable>) throws {
        about = answer.about
        body = try Answer.bytes(answer.body)
    }

    private static func bytes(_ body: some Encodable) throws -> [UInt8] {
        var json = JSONWriter(reserving: 1_024)
        try json.encode(body)
        return json.bytes
    }

    /// The result of a store.
    init(of store: Stores, to query: Query, app: AppID) async throws {
        self =
            switch try await store.result(of: query, app: app) {
            case .series(let answer): try Answer(answer)
            case .top(let answer): try Answer(answer)
            case .activeUsers(let answer): try Answer(answer)
            case .retention(let answer): try Answer(answer)
            case .funnel(let answer): try Answer(answer)
            case .revenue(let answer): try Answer(answer)
            case .sessions(let answer): try Answer(answer)
            case .lifecycle(let answer): try Answer(answer)
            case .realtime(let answer): try Answer(answer)
            case .crashFree(let answer): try Answer(answer.withoutNewIssues)
            }
    }

    /// The result of the model, with the store's source, because the model has none.
    ///
    /// - Parameter byQuarters: Whether the people of the last minutes are counted by quarter-hours.
    init(of model: Model, to query: Query, like source: ResultRange.Source, byQuarters: Bool = false) throws {
        let (range, body): (QueryRange, any Encodable) =
            switch query {
            case .series(let query): (query.range, model.series(query))
            case .top(let query): (query.range, model.top(query))
            case .activeUsers(let query): (query.range, model.activeUsers(query))
            case .retention(let query): (query.range, try model.retention(query))
            case .funnel(let query): (query.range, model.funnel(query))
            case .revenue(let query): (query.range, model.revenue(query))
            case .sessions(let query): (query.range, model.sessions(query))
            case .lifecycle(let query): (query.range, try model.lifecycle(query))
            case .realtime(let query): (query.range, model.realtime(query, byQuarters: byQuarters))
            case .crashFree(let query): (query.range, model.crashFree(query))
            }
        about = ResultRange(range, source: source)
        self.body = try Answer.bytes(body)
    }

    /// The first difference from another result; nil if they are equal.
    func difference(from expected: Answer) -> String? {
        if self == expected { return nil }
        if about != expected.about { return "it says of itself \(about), and should say \(expected.about)" }
        let same = zip(body, expected.body).prefix { $0 == $1 }.count
        let start = max(0, same - 160)
        func excerpt(_ bytes: [UInt8]) -> String { String(decoding: bytes[start...].prefix(320), as: UTF8.self) }
        return "from byte \(same) on\n  the store says …\(excerpt(body))\n  and should say …\(excerpt(expected.body))"
    }
}

extension RangedResult<CrashFreeResult> {
    /// The result without the counts of issues, which the model of events does not know. `CrashFreeTests` tests them.
    fileprivate var withoutNewIssues: RangedResult {
        var result = self
        for index in result.body.releases.indices { result.body.releases[index].newIssues = nil }
        return result
    }
}
