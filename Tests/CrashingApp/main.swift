// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Signalbox

/// An app that sets a user and crashes in the given way, or prints whether its previous launch crashed.
///
/// crashing-app FOLDER ADDRESS KEY VERSION HOW [before]
/// crashing-app FOLDER ADDRESS KEY VERSION trap CHECK PLACE
let arguments = CommandLine.arguments
guard arguments.count >= 6, let address = URL(string: arguments[2]) else { exit(2) }
if arguments.contains("before") { Earlier.install() }
var options = SignalboxOptions(address: address, key: arguments[3])
options.folder = URL(fileURLWithPath: arguments[1])
options.environment = .init(name: "test", flushInterval: 0.05, flushAt: 500, isLoggingEnabled: false)
options.context = AppContext(platform: "linux", appVersion: arguments[4])
options.capturesCrashes = arguments[5] != "uncaught"
let signalbox = try SignalboxApp(options)
FileHandle.standardOutput.write(Data("crashed=\(signalbox.crashes.didCrashDuringPreviousRun)\n".utf8))
if arguments[5] == "report" {
    try await signalbox.analytics.flush()
    exit(0)
}
if arguments[5] == "wait" {
    while true { pause() }
}
signalbox.analytics.setUserProperties(userId: "ann", email: nil)
signalbox.crashes.log("opened the basket")
signalbox.crashes.log("chose a \"card\"")
signalbox.crashes.setCustomValue("blue", forKey: "theme")
signalbox.crashes.setCustomValue(.text(arguments[5]), forKey: "how")
if arguments[5] != "consent" { try? await signalbox.analytics.flush() }
if arguments[5] == "trap", arguments.count == 8 { Trap.meet(arguments[6], in: arguments[7]) }
Fault.meet(arguments[5], in: signalbox)
if arguments[5] == "recorded" { try await signalbox.analytics.flush() }
print("went on")
