import Platform
enum QueryCommands { static let all: [Command] = [] }
