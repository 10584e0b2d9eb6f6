// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// An app that logs as fast as it can and prints each number after `logEvent` returned, until it is killed.
///
/// logging-app FOLDER durable|buffered ADDRESS KEY FIRST LAST [MICROSECONDS between two]
///
/// With `receiving` it prints the ID of each received message: logging-app FOLDER receiving ADDRESS KEY 0 0
///
/// With `transferring` it uploads FILES/film and downloads FILES/copy in the background until both have ended, and prints their states:
/// logging-app FOLDER transferring ADDRESS KEY UPLOADED-PATH DOWNLOADED-PATH FILES
///
/// With `calling` it calls the function `receipt` some times at once, and prints how many calls exceeded their time limit:
/// logging-app FOLDER calling ADDRESS KEY CALLS SECONDS
let arguments = CommandLine.arguments
if arguments.count == 7, arguments[2] == "calling" { try await Calling.run(arguments) }
if arguments.count == 8, arguments[2] == "transferring" { try await Transferring.run(arguments) }
guard arguments.count >= 7, let address = URL(string: arguments[3]), let first = Int64(arguments[5]), let last = Int64(arguments[6]) else { exit(2) }
var options = SignalboxOptions(address: address, key: arguments[4])
options.folder = URL(fileURLWithPath: arguments[1])
options.durability = arguments[2] == "durable" ? .immediate : .withinASecond
options.limits = QueueLimits(events: 4_000_000, bytes: 2 << 30)
options.environment = .init(name: "test", flushInterval: 0.05, flushAt: 500, isLoggingEnabled: false)
let spacing = arguments.count > 7 ? UInt32(arguments[7]) ?? 0 : 0
let signalbox = try SignalboxApp(options)
if arguments[2] == "receiving" {
    for await message in signalbox.messaging.messageStream() {
        FileHandle.standardOutput.write(Data("\(message.id)\n".utf8))
    }
}
for number in first..<last {
    signalbox.analytics.logEvent("step", parameters: ["n": .integer(number)])
    FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    if spacing > 0 { usleep(spacing) }
}
while true { pause() }
