// SPDX-License-Identifier: Apache-2.0

import Platform

extension ClientLeft {
    /// The status with which the response that nobody reads is counted and logged.
    static let status = 499
}
