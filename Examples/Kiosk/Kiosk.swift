import Foundation
import Signalbox

/// A shop in a terminal, as small as an app can be that tells all there is to tell.
@main
struct Kiosk {
    static func main() async throws {
        guard let options = Connection.options(from: ProcessInfo.processInfo.environment) else {
            print("kiosk: set SIGNALBOX_URL to the daemon and SIGNALBOX_KEY to an ingest key")
            exit(2)
        }
        let signalbox = try SignalboxApp(options)
        var shop = Shop(analytics: signalbox.analytics, crashes: signalbox.crashes)
        print("goods · look THING · take THING · pay · name WHO TIER · jam · odd · consent yes|no · quit")
        if !signalbox.analytics.isCollectionEnabled { print("Nothing is told of you unless you say: consent yes") }
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            if words == ["quit"] { break }
            print(shop.answer(words))
        }
        await leave(signalbox)
    }

    /// A program that ends by itself sends what waits; without a daemon its next start does.
    private static func leave(_ signalbox: SignalboxApp) async {
        signalbox.didResignActive()
        do {
            try await signalbox.analytics.flush()
            print("Told. Goodbye.")
        } catch {
            print("Kept for the next start: \(await signalbox.status().waiting) (\(error)). Goodbye.")
        }
        await signalbox.close()
    }
}
