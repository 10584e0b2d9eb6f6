// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocuments

/// The services of one daemon. Create one at launch and keep it.
public final class Backend: Sendable {
    public let signalbox: SignalboxApp
    public let documents: Documents
    /// Call its `update()` after a sign-in before documents are used. Ends of sessions it notices itself.
    public let signedIn: SignedInDocuments
    private let following: Task<Void, Never>

    /// - Parameters:
    ///   - folder: The folder of queues, credentials and documents; by default below the app's Application Support folder.
    ///   - change: Changes the options further, such as the version of the app.
    public init(_ configuration: BackendConfiguration, folder: URL? = nil, change: (inout SignalboxOptions) -> Void = { _ in }) throws {
        var options = SignalboxOptions(address: configuration.address, key: configuration.key)
        options.environment = configuration.stage == .development ? .development : .production
        options.folder = folder?.appendingPathComponent("app")
        change(&options)
        signalbox = try SignalboxApp(options)

        let accounts = signalbox.accounts
        var documentOptions = DocumentOptions(address: configuration.address, key: configuration.key)
        documentOptions.folder = folder?.appendingPathComponent("documents")
        documentOptions.user = accounts.currentUser?.id
        documentOptions.idToken = {
            guard let session = try? await accounts.session() else { return nil }
            return (session.user.id, session.idToken)
        }
        documents = try Documents(documentOptions)
        signedIn = SignedInDocuments(documents, of: documentOptions.user, accounts: accounts)
        following = Task { [signedIn] in await signedIn.follow() }
    }

    /// Ends pauses between attempts: the app became active, or has a network again.
    public func connectNow() async {
        signalbox.didBecomeActive()
        await documents.connectNow()
    }

    /// Ends connections. What is queued is sent by the next launch.
    public func close() async {
        following.cancel()
        await documents.close()
        await signalbox.close()
    }
}
