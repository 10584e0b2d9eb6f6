// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// A shop in the terminal: a small app that uses every part of the client.
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
        if !signalbox.analytics.isCollectionEnabled { say("No data is collected. To allow it, enter: consent yes") }
        if signalbox.crashes.didCrashDuringPreviousRun { say("The app crashed last time. The crash was reported.") }
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            if words == ["quit"] { break }
            say(await shop.answer(words))
        }
        shop.close()
        await leave(signalbox)
    }

    /// Sends queued records before exiting. Without a daemon the next launch sends them.
    private static func leave(_ signalbox: SignalboxApp) async {
        signalbox.didResignActive()
        do {
            try await signalbox.analytics.flush()
            say("All events sent. Goodbye.")
        } catch {
            say("Queued for the next launch: \(await signalbox.status().pending) (\(error)). Goodbye.")
        }
        await signalbox.close()
    }
}

/// Prints a line without buffering, so that a script reading the output sees it at once.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
