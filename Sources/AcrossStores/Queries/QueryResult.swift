// SPDX-License-Identifier: Apache-2.0

package import Events

/// The result of a query, by kind. It is encoded without the kind.
package enum QueryResult: Sendable, Encodable {
    case series(RangedResult<SeriesResult>)
    case top(RangedResult<TopResult>)
    case activeUsers(RangedResult<ActiveUsersResult>)
    case retention(RangedResult<RetentionResult>)
    case funnel(RangedResult<FunnelResult>)
    case revenue(RangedResult<RevenueResult>)
    case sessions(RangedResult<SessionsResult>)
    case lifecycle(RangedResult<LifecycleResult>)
    case realtime(RangedResult<RealtimeResult>)
    case crashFree(RangedResult<CrashFreeResult>)

    /// The result of any kind.
    var ofAnyKind: any Encodable & Sendable {
        switch self {
        case .series(let result): result
        case .top(let result): result
        case .activeUsers(let result): result
        case .retention(let result): result
        case .funnel(let result): result
        case .revenue(let result): result
        case .sessions(let result): result
        case .lifecycle(let result): result
        case .realtime(let result): result
        case .crashFree(let result): result
        }
    }

    package func encode(to encoder: any Encoder) throws { try ofAnyKind.encode(to: encoder) }
}
