// SPDX-License-Identifier: Apache-2.0

/// Which Signalbox this is, the same for all its programs.
package enum Version {
    package static let current = "0.1.0"
}
