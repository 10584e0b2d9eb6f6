// SPDX-License-Identifier: Apache-2.0

import AppAdapters
import Foundation
import ShopModel

/// The shop in the terminal: the shell around `Shop` that an app for iOS replaces by its screens.
@main
struct ShopCommand {
    static func main() async {
        let environment = ProcessInfo.processInfo.environment
        do {
            let stage = environment["SHOP_STAGE"].flatMap(BackendConfiguration.Stage.init) ?? .ofBuild
            let file = environment["SHOP_CONFIGURATION"].map { URL(fileURLWithPath: $0) }
            let configuration = try BackendConfiguration(stage, file: try file.map { try Data(contentsOf: $0) }, environment: environment)
            let backend = try Backend(configuration, folder: environment["SHOP_FOLDER"].map { URL(fileURLWithPath: $0) }) {
                $0.context.appVersion = "1.0.0"
            }
            await run(backend)
        } catch {
            say("shop: could not start: \(error); set SIGNALBOX_URL and SIGNALBOX_KEY, and a SHOP_FOLDER that no other shop uses")
            exit(2)
        }
    }

    private static func run(_ backend: Backend) async {
        let console = Console(backend)
        await console.begin()
        for await line in lines() {
            let words = line.split(separator: " ").map(String.init)
            if words == ["quit"] { break }
            say(await console.answer(words))
        }
        await console.end()
        backend.signalbox.didResignActive()
        do {
            try await backend.signalbox.analytics.flush()
        } catch {
            say("Some events stay queued for the next launch: \(error)")
        }
        await backend.close()
        say("Goodbye.")
    }

    /// The lines of the standard input. A thread waits for them, so that none of the concurrency pool does.
    private static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}

/// Prints a line without buffering, so that a script reading the output sees it at once.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
