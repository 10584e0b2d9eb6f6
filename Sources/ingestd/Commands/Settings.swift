import Platform

/// The configuration as a command line asks for it: default, then file, then environment, then flags.
extension Configuration {
    static let options: [Command.Option] = [
        .init(name: "config", value: "FILE", help: "The configuration file."),
        .init(name: "data", value: "DIR", help: "The data folder, instead of storage.directory."),
    ]

    init(_ arguments: Arguments) throws {
        var flags: [ConfigurationFlag] = []
        if let data = arguments["data"] { flags.append(ConfigurationFlag("--data", sets: "storage.directory", to: data)) }
        if let listen = arguments["listen"] { flags.append(ConfigurationFlag("--listen", sets: "server.listen", to: listen)) }
        self = try Configuration.load(file: arguments["config"], flags: flags)
    }
}
