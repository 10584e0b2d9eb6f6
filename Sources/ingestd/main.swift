import Platform
import Store

OwnProcess.keepFilesPrivate()
Signal.ignoreBrokenPipes()
do {
    switch try Invocation(Array(CommandLine.arguments.dropFirst())) {
    case .help(let text): try Terminal.print(text)
    case .run(let command, let arguments): try await command.run(arguments)
    }
    Process.end(code: 0)
} catch {
    let failure = Failure(error)
    Terminal.complain(failure.line)
    Process.end(code: failure.exitCode)
}
