// SPDX-License-Identifier: Apache-2.0

import Crypto
import Functions
import Platform
import Synchronization

/// Keys of calls and runs that are under way (`Signalbox-Token`). Each ends with its run, and may do what the function's `may` names.
///
/// They are in memory only: after a restart the run is carried out again, with another one.
final class RunTokens: Sendable {
    private struct Grant: Sendable {
        var app: AppID
        var grants: [FunctionDefinition.Grant]
        var expires: Timestamp
    }

    private static let prefix = "sb_run_"
    /// More than calls and runs that can be under way at once.
    private static let maximum = 100_000

    private let tokens = Mutex<[String: Grant]>([:])
    private let clock: WallClock

    init(clock: WallClock) {
        self.clock = clock
    }

    /// Returns a new key; nil if the function may nothing, or far too many are valid.
    func issue(_ grants: [FunctionDefinition.Grant], app: AppID, for life: Timestamp.Span) -> String? {
        guard !grants.isEmpty else { return nil }
        let token = randomToken(prefix: RunTokens.prefix, bits: 192)
        let grant = Grant(app: app, grants: grants, expires: clock.now() + life)
        return tokens.withLock { tokens in
            guard tokens.count < RunTokens.maximum else { return nil }
            tokens[token] = grant
            return token
        }
    }

    func end(_ token: String) {
        tokens.withLock { $0[token] = nil }
    }

    /// Returns the key of a token in the role that a route asks for, or in another one of its own; nil for any other text.
    func key(_ text: String, for roles: [Role]) -> APIKey? {
        guard text.hasPrefix(RunTokens.prefix), let grant = tokens.withLock({ $0[text] }), clock.now() < grant.expires else { return nil }
        let own = grant.grants.map(\.role)
        guard let role = own.first(where: roles.contains) ?? own.first else { return nil }
        // Keys of the database have positive numbers.
        return APIKey(
            id: -1 - grant.app.rawValue, app: grant.app, role: role, label: "function", secret: nil, hint: "function", created: grant.expires,
            restrictions: KeyRestrictions())
    }
}

extension FunctionDefinition.Grant {
    fileprivate var role: Role {
        switch self {
        case .send: .send
        case .data: .data
        case .accounts: .accounts
        }
    }
}
