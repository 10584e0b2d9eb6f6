// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// An app with an upload and a download in the background.
enum Transferring {
    static func run(_ arguments: [String]) async throws -> Never {
        guard let address = URL(string: arguments[3]) else { exit(2) }
        var options = SignalboxOptions(address: address, key: arguments[4])
        options.folder = URL(fileURLWithPath: arguments[1])
        options.app = "shop"
        options.capturesCrashes = false
        let app = try SignalboxApp(options)
        let files = app.files
        let folder = URL(fileURLWithPath: arguments[7])
        // An app that was killed while it started them starts those that are not in the list.
        if !files.transfers.contains(where: { $0.direction == .upload }) {
            try await files.startUpload(file: folder.appendingPathComponent("film"), to: arguments[5])
        }
        if !files.transfers.contains(where: { $0.direction == .download }) {
            try await files.startDownload(arguments[6], to: folder.appendingPathComponent("copy"))
        }
        for await list in files.transferUpdates() where list.count == 2 && list.allSatisfy({ $0.state != .running }) {
            for transfer in list { print(transfer.direction, transfer.state) }
            break
        }
        await app.close()
        exit(0)
    }
}
