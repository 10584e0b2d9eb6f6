// SPDX-License-Identifier: Apache-2.0

/// The version of all programs.
package enum Version {
    package static let current = "0.2.0"
}
