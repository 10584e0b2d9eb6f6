import Platform

let configuration = try Configuration.load(file: CommandLine.arguments.dropFirst().first)
let daemon = try Daemon(configuration, log: Log(level: configuration.log.level, format: configuration.log.format))
try await Serve.run(daemon) { try Configuration.load(file: CommandLine.arguments.dropFirst().first) }
