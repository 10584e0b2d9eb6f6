// SPDX-License-Identifier: Apache-2.0

import Crypto
import Functions
package import Platform
import Synchronization

/// Keys of calls and runs that are under way (`Signalbox-Token`). Each ends with its call or attempt, may do what the function's `may` names,
/// and carries the depth of the run: what it changes triggers runs that are one deeper.
///
/// A change of the function applies at once: a key of a deleted one opens nothing, and one whose `may` got shorter may less.
///
/// They are in memory only: after a restart the run is carried out again, with another one.
package final class RunTokens: Sendable {
    private struct Grant: Sendable {
        var app: AppID
        var function: (id: Int64, name: String)
        var grants: [FunctionDefinition.Grant]
        var depth: Int
        var expires: Timestamp
    }

    private struct State: Sendable {
        var grants: [String: Grant] = [:]
        /// The tokens of runs by the number of the run.
        var ofRuns: [Int64: String] = [:]
    }

    private static let prefix = "sb_run_"
    /// More than calls and runs that can be under way at once.
    private static let maximum = 100_000

    private let state = Mutex(State())
    private let clock: WallClock
    private let catalog: FunctionCatalog

    init(clock: WallClock, _ catalog: FunctionCatalog) {
        (self.clock, self.catalog) = (clock, catalog)
    }

    /// Returns a new key; nil if the function may nothing, or far too many are valid.
    package func issue(for function: StoredFunction, depth: Int, life: Timestamp.Span) -> String? {
        issue(
            Grant(
                app: function.app, function: (function.id, function.name), grants: function.definition.grants, depth: depth,
                expires: clock.now() + life))
    }

    /// Returns a new key for an attempt of a run, in place of that of an earlier one.
    func issue(for run: StoredRun, of function: StoredFunction) -> String? {
        let life = Timestamp.Span.seconds(Int64(function.definition.timeoutSeconds) + 5)
        end(run: run.number)
        guard let token = issue(for: function, depth: run.depth, life: life) else { return nil }
        state.withLock { $0.ofRuns[run.number] = token }
        return token
    }

    private func issue(_ grant: Grant) -> String? {
        guard !grant.grants.isEmpty else { return nil }
        let token = randomToken(prefix: RunTokens.prefix, bits: 192)
        return state.withLock { state in
            guard state.grants.count < RunTokens.maximum else { return nil }
            state.grants[token] = grant
            return token
        }
    }

    package func end(_ token: String) {
        state.withLock { $0.grants[token] = nil }
    }

    func end(run: Int64) {
        state.withLock { state in
            if let token = state.ofRuns.removeValue(forKey: run) { state.grants[token] = nil }
        }
    }

    /// Returns the key of a token in the role that a route asks for, or in another one of its own; nil for any other text.
    package func key(_ text: String, for roles: [Role]) -> APIKey? {
        guard text.hasPrefix(RunTokens.prefix), let grant = state.withLock({ $0.grants[text] }), clock.now() < grant.expires else { return nil }
        let own = validGrants(of: grant).map(\.role)
        guard let role = own.first(where: roles.contains) ?? own.first else { return nil }
        // Keys of the database have positive numbers.
        var key = APIKey(
            id: -1 - grant.app.rawValue, app: grant.app, role: role, label: "function", secret: nil, hint: "function", created: grant.expires,
            restrictions: KeyRestrictions())
        key.depth = grant.depth
        return key
    }

    /// Returns the grants that the function has now and had when the key was issued.
    private func validGrants(of grant: Grant) -> [FunctionDefinition.Grant] {
        guard let function = catalog.function(grant.function.name, app: grant.app), function.id == grant.function.id else { return [] }
        return grant.grants.filter(function.definition.grants.contains)
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
