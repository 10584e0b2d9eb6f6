// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// How this app is connected; the one place that knows the options.
enum Connection {
    /// Nil where the environment does not say where the daemon is, and with which key.
    static func options(from environment: [String: String]) -> SignalboxOptions? {
        guard let address = environment["SIGNALBOX_URL"].flatMap(URL.init), let key = environment["SIGNALBOX_KEY"] else { return nil }
        var options = SignalboxOptions(address: address, key: key)
        options.folder = environment["KIOSK_FOLDER"].map { URL(fileURLWithPath: $0) }
        options.environment = environment["KIOSK_RELEASED"] == nil ? .development : .production
        options.context.appVersion = "1.0.0"
        // Nobody was asked yet; what they answer is remembered.
        options.isCollectionEnabled = false
        if options.environment == .development { options.onVerdict = { say("verdict: " + describe($0)) } }
        return options
    }

    private static func describe(_ verdict: Verdict) -> String {
        [verdict.result.rawValue, verdict.name, verdict.field, verdict.code, verdict.message].compactMap { $0 }.joined(separator: " · ")
    }
}
