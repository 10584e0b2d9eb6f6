// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Signalbox

/// The signed-in user of an app, whom its documents follow.
struct FollowedUser: Sendable {
    /// Returns the user's ID without network; nil if nobody is signed in. Throws while it cannot be known.
    let current: @Sendable () throws(DocumentError) -> String?
    /// Yields after each change.
    let changes: @Sendable () -> AsyncStream<AccountUser?>
}

/// The daemon that documents are kept by, and the settings of the local store.
public struct DocumentOptions: Sendable {
    /// Returns the signed-in user and an ID token that is valid now; nil if nobody is signed in. It gets a token that the daemon did not take,
    /// if there is one, and then returns another.
    ///
    /// It throws if no token can be had now, as without a network: reads are answered from the cache then, and writes stay queued.
    public typealias IDTokenProvider = @Sendable (_ rejected: String?) async throws -> (user: String, token: String)?

    /// The address of the daemon, such as `https://signals.example.org`.
    public var address: URL
    /// A key of the app with the role `ingest`.
    public var key: String
    /// The user at launch; ``Documents/setUser(_:removingLocalData:)`` changes it. Each user has a store of its own.
    public var user: String?
    /// The source of ID tokens. Requests of a user are sent with that user's token only.
    public var idToken: IDTokenProvider?
    /// The folder of the stores; by default a subfolder of the app's Application Support folder.
    public var folder: URL?
    /// Whether documents and queued writes survive the end of the process.
    public var isPersistent = true
    /// Whether the documents and queued writes of the user of a `SignalboxApp` are removed from the device when the user signs out.
    public var removesLocalDataAtSignOut = false
    /// The size of cached documents in bytes beyond which those that were used longest ago are removed.
    public var cacheBytes = 100 << 20

    /// Creates options with the two values that have no default.
    public init(address: URL, key: String) {
        self.address = address
        self.key = key
    }

    /// The user whom the documents follow, in place of `user`.
    var follows: FollowedUser?

    // MARK: Replaced in tests

    var now: @Sendable () -> Date = { Date() }
    var backoff = Backoff(first: 1, longest: 60)
    /// The seconds for which a listener without anything to show waits for a connection.
    var patience: TimeInterval = 10

    var chosenFolder: URL {
        if let folder { return folder }
        let support =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first ?? URL(fileURLWithPath: NSTemporaryDirectory())
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return support.appendingPathComponent("Signalbox").appendingPathComponent(app).appendingPathComponent("Documents")
    }
}
