// SPDX-License-Identifier: Apache-2.0

import CTransfers

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    let options = try Options(arguments)
    switch arguments.first {
    case "bare-table": try BareTable.run(options)
    case "write-side": try await WriteSide.run(options)
    case "day-turn": try await DayTurn.run(options)
    case "null-server": try await NullServer.run(options)
    case "load":
        let generator = LoadGenerator(port: UInt16(options.port), key: options.key, path: options.path, options: options)
        print(try generator.run().line(options.name, events: options.events))
    case "fill-month": try await Month.fill(options)
    case "file-server": try await FileServer.run(options)
    case "upload-loop":
        guard transfers_serve(Int32(options.port), options.folder) == 0 else { throw BenchmarkError("cannot listen on port \(options.port)") }
    case "small-upload-loop":
        guard transfers_serve_small(Int32(options.port), options.folder, 2) == 0 else {
            throw BenchmarkError("cannot listen on port \(options.port)")
        }
    case "transfers": try TransferLoad.run(options)
    case "frames": Frames.run()
    case "sink": try Sink.run(options)
    case "courier": try await CourierRun.run(options)
    case "fan-out": try await FanOut.run(options)
    case "subscribe": try await FanOut.subscribe(options)
    case "listeners": try await Listeners.run(options)
    case "grouping": GroupingRun.run()
    case "logging": try LoggingRun.run(options)
    case "fill-accounts": try await AccountFill.run(options)
    case "account-hashes": AccountCeilings.hashes(options)
    case "account-tokens": try AccountCeilings.tokens(options)
    case "document-table": try DocumentTable.write(options)
    case "document-table-reads": try DocumentTable.read(options)
    case "document-rules": try RuleRun.run(options)
    case "client-documents": try await ClientDocuments(options).run()
    case "document-listeners": try DocumentListeners(options).run()
    case let name? where AccountLoad.Kind(rawValue: name) != nil:
        try AccountLoad.Kind(rawValue: name).map { try AccountLoad($0, options).run() }
    case "crowd": try Crowd(options: options).run()
    default:
        print(
            "usage: signalbox-bench bare-table|write-side|day-turn|null-server|load|crowd|fill-month|file-server|upload-loop|small-upload-loop|transfers|frames|sink|courier|fan-out|subscribe|listeners|grouping|logging|fill-accounts|account-hashes|account-tokens|account-sign-ins|account-refreshes|account-look-ups|document-table|document-table-reads|document-rules|document-listeners|client-documents [--events N] [--batch N] [--clients N] [--ids ordered|random] [--report BYTES] …"
        )
    }
} catch {
    print("failed: \(error)")
}
