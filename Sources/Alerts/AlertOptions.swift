// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Options of alerts.
package struct AlertOptions: Sendable {
    package var interval = Duration.seconds(30)

    package init() {}

    package static let settings: [Setting<AlertOptions>] = [
        Setting(
            "interval", .duration(.milliseconds(10) ... .seconds(3_600)), \.interval,
            "Interval between checks for alerts to publish on $alerts.… topics",
            live: true)
    ]
}
