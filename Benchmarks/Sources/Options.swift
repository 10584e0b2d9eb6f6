/// What a measurement is told on its command line.
struct Options: Sendable {
    var events = 1_000_000
    var batch = 100
    var clients = 64
    var randomIDs = true

    init(_ arguments: [String]) {
        var rest = arguments.dropFirst()
        while let name = rest.popFirst(), let value = rest.popFirst() {
            switch name {
            case "--events": events = Int(value) ?? events
            case "--batch": batch = Int(value) ?? batch
            case "--clients": clients = Int(value) ?? clients
            case "--ids": randomIDs = value == "random"
            default: print("unknown option \(name)")
            }
        }
    }
}
