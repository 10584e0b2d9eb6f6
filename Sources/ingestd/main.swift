// SPDX-License-Identifier: Apache-2.0

import Platform
import AcrossStores

OwnProcess.keepFilesPrivate()
Signal.ignoreBrokenPipes()
do {
    let words = Array(CommandLine.arguments.dropFirst())
    try ConfinedCommand.enter(words)
    try ConfinedWorkerCommand.enter(words)
    switch try Invocation(words, of: .ingestd) {
    case .help(let text): try Console.print(text)
    case .run(let command, let arguments): try await command.run(arguments)
    }
    OwnProcess.end(code: 0)
} catch {
    let failure = Failure(error)
    Console.complain(failure.line, of: CommandTable.ingestd.program)
    OwnProcess.end(code: failure.exitCode)
}
