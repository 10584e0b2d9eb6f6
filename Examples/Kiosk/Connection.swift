// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// The client's options, read from the environment.
enum Connection {
    /// Returns `nil` if the environment lacks the daemon's address or the key.
    static func options(from environment: [String: String]) -> SignalboxOptions? {
        guard let address = environment["SIGNALBOX_URL"].flatMap(URL.init), let key = environment["SIGNALBOX_KEY"] else { return nil }
        var options = SignalboxOptions(address: address, key: key)
        options.folder = environment["KIOSK_FOLDER"].map { URL(fileURLWithPath: $0) }
        options.environment = environment["KIOSK_RELEASED"] == nil ? .development : .production
        options.context.appVersion = "1.0.0"
        // Collect nothing until the user agrees; the client stores the choice.
        options.isCollectionEnabled = false
        if options.environment == .development { options.onVerdict = { say("verdict: " + describe($0)) } }
        return options
    }

    private static func describe(_ verdict: Verdict) -> String {
        [verdict.result.rawValue, verdict.name, verdict.field, verdict.code, verdict.message].compactMap { $0 }.joined(separator: " · ")
    }
}
