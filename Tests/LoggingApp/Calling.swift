// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// An app with calls of a function that wait for their responses.
enum Calling {
    static func run(_ arguments: [String]) async throws -> Never {
        guard let address = URL(string: arguments[3]), let calls = Int(arguments[5]), let seconds = TimeInterval(arguments[6]) else { exit(2) }
        var options = SignalboxOptions(address: address, key: arguments[4])
        options.folder = URL(fileURLWithPath: arguments[1])
        options.app = "shop"
        options.isCollectionEnabled = false
        options.capturesCrashes = false
        let app = try SignalboxApp(options)
        var callable = app.functions.httpsCallable("receipt")
        callable.timeoutInterval = seconds
        let patient = callable
        let late = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<calls {
                group.addTask {
                    do throws(FunctionsError) {
                        _ = try await patient.call()
                        return false
                    } catch {
                        return error.code == .deadlineExceeded
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        FileHandle.standardOutput.write(Data("late \(late)\n".utf8))
        // The counts of the system are those of a running process.
        while true { pause() }
    }
}
