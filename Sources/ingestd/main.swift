import Platform
import Store

Process.prepare()
do {
    try await Commands.run(Array(CommandLine.arguments.dropFirst()))
    Process.flush()
} catch let error as UsageError {
    Process.complain("ingestd: \(error.message) Usage: \(error.usage)")
    Process.end(code: 2)
} catch {
    Process.complain(Failure.text(error))
    Process.end(code: 1)
}
