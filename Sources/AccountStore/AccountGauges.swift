// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import JOSE
package import Platform

/// The metrics of the account store.
package final class AccountGauges: Sendable {
    package let failedCommits: Counter
    package let walBytes: Gauge
    private let signIns: MetricFamily<Counter>
    private let refreshes: MetricFamily<Counter>
    private let tokenChecks: MetricFamily<Counter>
    private let factors: MetricFamily<Counter>
    private let providerTokens: MetricFamily<Counter>
    private let codes: MetricFamily<Counter>

    /// The result of a sign-in.
    package enum SignIn: String, CaseIterable, Sendable {
        case done, wrong, disabled, limited
    }

    /// The use of a code of a mail.
    package enum Code: String, CaseIterable, Sendable {
        case requested, redeemed
    }

    /// The result of a refresh.
    package enum Refresh: String, CaseIterable, Sendable {
        case rotated, repeated, recovered, reused, ended, limited
    }

    /// The result of a code of a second factor.
    package enum Factor: String, CaseIterable, Sendable {
        case done, recovered, wrong, limited, expired
    }

    init(_ metrics: Metrics) {
        signIns = metrics.counters("signalbox_auth_sign_ins_total", "Sign-ins and sign-ups by method and result.", labels: ["method", "result"])
        refreshes = metrics.counters("signalbox_auth_refreshes_total", "Uses of refresh tokens by result.", labels: ["result"])
        tokenChecks = metrics.counters("signalbox_auth_token_checks_total", "Checked ID tokens by result.", labels: ["result"])
        factors = metrics.counters("signalbox_auth_second_factors_total", "Sign-ins with a second factor by result.", labels: ["result"])
        providerTokens = metrics.counters(
            "signalbox_auth_provider_tokens_rejected_total", "Rejected ID tokens of identity providers by reason.", labels: ["reason"])
        codes = metrics.counters("signalbox_auth_codes_total", "Codes of mails by kind and what happened.", labels: ["kind", "result"])
        walBytes = metrics.gauge("signalbox_auth_wal_bytes", "Size of the write-ahead log of accounts.db.")
        failedCommits = metrics.counter("signalbox_auth_commits_failed_total", "Failed commits to accounts.db; nothing of them was acknowledged.")
        for result in Factor.allCases { _ = factors(result.rawValue) }
        for result in Refresh.allCases { _ = refreshes(result.rawValue) }
        for method in SignInMethod.allCases { for result in SignIn.allCases { _ = signIns(method.rawValue, result.rawValue) } }
        for kind in CodeKind.allCases { for result in Code.allCases { _ = codes(kind.rawValue, result.rawValue) } }
        _ = codes("unknown", "wrong")
        for isValid in [true, false] { _ = tokenChecks(isValid ? "valid" : "invalid") }
    }

    package func signedIn(_ method: SignInMethod, _ result: SignIn) { signIns(method.rawValue, result.rawValue).add() }

    package func refreshed(_ result: Refresh) { refreshes(result.rawValue).add() }

    package func usedFactor(_ result: Factor) { factors(result.rawValue).add() }

    package func rejectedProviderToken(_ reason: TokenError) { providerTokens(reason.rawValue).add() }

    package func counted(_ kind: CodeKind, _ result: Code) { codes(kind.rawValue, result.rawValue).add() }

    /// Counts a code that is wrong, used or void.
    package func countedWrongCode() { codes("unknown", "wrong").add() }

    package func checkedToken(isValid: Bool) { tokenChecks(isValid ? "valid" : "invalid").add() }
}
