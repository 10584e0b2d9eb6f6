// SPDX-License-Identifier: Apache-2.0

package import Events

/// The result of a query, by kind. It is encoded as the answer without the kind.
package enum QueryResult: Sendable, Encodable {
    case series(QueryAnswer<SeriesAnswer>)
    case top(QueryAnswer<TopAnswer>)
    case activeUsers(QueryAnswer<ActiveUsersAnswer>)
    case retention(QueryAnswer<RetentionAnswer>)
    case funnel(QueryAnswer<FunnelAnswer>)
    case revenue(QueryAnswer<RevenueAnswer>)
    case sessions(QueryAnswer<SessionsAnswer>)
    case lifecycle(QueryAnswer<LifecycleAnswer>)
    case realtime(QueryAnswer<RealtimeAnswer>)
    case crashFree(QueryAnswer<CrashFreeAnswer>)

    /// The answer of any kind.
    package var answer: any Encodable & Sendable {
        switch self {
        case .series(let answer): answer
        case .top(let answer): answer
        case .activeUsers(let answer): answer
        case .retention(let answer): answer
        case .funnel(let answer): answer
        case .revenue(let answer): answer
        case .sessions(let answer): answer
        case .lifecycle(let answer): answer
        case .realtime(let answer): answer
        case .crashFree(let answer): answer
        }
    }

    package func encode(to encoder: any Encoder) throws { try answer.encode(to: encoder) }
}
