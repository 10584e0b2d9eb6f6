// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocuments

/// The services of one daemon. Create one at launch and keep it.
public final class Backend: Sendable {
    public let signalbox: SignalboxApp
    /// The documents of the signed-in user. They follow sign-ins, and ends of sessions.
    public let documents: Documents

    /// - Parameters:
    ///   - folder: The folder of queues, credentials and documents; by default below the app's Application Support folder.
    ///   - change: Changes the options further, such as the version of the app.
    public init(_ configuration: BackendConfiguration, folder: URL? = nil, change: (inout SignalboxOptions) -> Void = { _ in }) throws {
        var options = SignalboxOptions(address: configuration.address, key: configuration.key)
        options.environment = configuration.stage == .development ? .development : .production
        options.folder = folder
        change(&options)
        signalbox = try SignalboxApp(options)
        documents = try signalbox.documents()
    }

    /// Ends connections. What is queued is sent by the next launch.
    public func close() async {
        await documents.close()
        await signalbox.close()
    }
}
