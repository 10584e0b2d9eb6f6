// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// A shop in a terminal, as small as an app can be that tells all there is to tell.
@main
struct Kiosk {
    static func main() async throws {
        guard let options = Connection.options(from: ProcessInfo.processInfo.environment) else {
            say("kiosk: set SIGNALBOX_URL to the daemon and SIGNALBOX_KEY to an ingest key")
            exit(2)
        }
        let signalbox = try SignalboxApp(options)
        var shop = Shop(analytics: signalbox.analytics, crashes: signalbox.crashes, messaging: signalbox.messaging)
        say("goods · look THING · take THING · pay · name WHO TIER · offers · jam · odd · crash · consent yes|no · quit")
        if !signalbox.analytics.isCollectionEnabled { say("Nothing is told of you unless you say: consent yes") }
        if signalbox.crashes.didCrashDuringPreviousRun { say("Sorry for the last time. We were told of it.") }
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            if words == ["quit"] { break }
            say(await shop.answer(words))
        }
        shop.close()
        await leave(signalbox)
    }

    /// A program that ends by itself sends what waits; without a daemon its next start does.
    private static func leave(_ signalbox: SignalboxApp) async {
        signalbox.didResignActive()
        do {
            try await signalbox.analytics.flush()
            say("Told. Goodbye.")
        } catch {
            say("Kept for the next start: \(await signalbox.status().waiting) (\(error)). Goodbye.")
        }
        await signalbox.close()
    }
}

/// A line for whoever looks at it, at once also where that is a program.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
