// SPDX-License-Identifier: Apache-2.0

/// The number of an app's accounts, and what happened by day and method.
package struct AccountFiguresResponse: Codable, Sendable {
    package struct Activity: Codable, Sendable {
        /// A day of UTC, such as `2026-11-26`.
        package var day: String
        package var method: String
        package var signUps: Int
        package var signIns: Int
        /// Wrong passwords of existing accounts.
        package var failures: Int

        package init(day: String, method: String, signUps: Int, signIns: Int, failures: Int) {
            (self.day, self.method, self.signUps, self.signIns, self.failures) = (day, method, signUps, signIns, failures)
        }
    }

    package var accounts: Int
    /// Accounts with a verified email address.
    package var verified: Int
    package var anonymous: Int
    package var disabled: Int
    /// Accounts with a confirmed second factor.
    package var secondFactor: Int
    /// Newest first.
    package var days: [Activity]

    package init(accounts: Int, verified: Int, anonymous: Int, disabled: Int, secondFactor: Int, days: [Activity]) {
        (self.accounts, self.verified, self.anonymous, self.disabled) = (accounts, verified, anonymous, disabled)
        (self.secondFactor, self.days) = (secondFactor, days)
    }
}
