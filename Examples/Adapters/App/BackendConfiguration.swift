// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The daemon that an app talks to, chosen by its stage.
///
///     {"development": {"key": "sb_ingest_…"},
///      "production": {"address": "https://signals.example.org", "key": "sb_ingest_…"}}
///
/// Development without an address is the daemon on this machine, which takes the place of an emulator: `./scripts/run`.
public struct BackendConfiguration: Sendable, Equatable {
    public enum Stage: String, Sendable, CaseIterable {
        case development, production

        /// The stage of the build: debug builds are for development.
        public static var ofBuild: Stage {
            #if DEBUG
                .development
            #else
                .production
            #endif
        }
    }

    public enum ConfigurationError: Error, Equatable, Sendable {
        case unreadable(String)
        case noKey(Stage)
        case badAddress(String)
        /// Production talks https only, so that tokens are never sent in the clear.
        case insecureAddress(String)
    }

    public static let localDaemon = "http://127.0.0.1:8787"

    public var stage: Stage
    public var address: URL
    public var key: String

    /// Reads the entry of a stage.
    ///
    /// - Parameters:
    ///   - file: The JSON of the app's configuration; nil takes all from the environment.
    ///   - environment: In development `SIGNALBOX_URL` and `SIGNALBOX_KEY` precede the file, as the keys of a new data folder are new.
    public init(_ stage: Stage, file: Data?, environment: [String: String] = [:]) throws(ConfigurationError) {
        let entry = try Self.entries(file)[stage.rawValue]
        let overrides = stage == .development ? environment : [:]
        let defaultAddress = stage == .development ? Self.localDaemon : ""
        let address = overrides["SIGNALBOX_URL"] ?? entry?.address ?? defaultAddress
        guard let url = URL(string: address), let scheme = url.scheme, ["http", "https"].contains(scheme), url.host?.isEmpty == false else {
            throw .badAddress(address)
        }
        guard stage == .development || scheme == "https" else { throw .insecureAddress(address) }
        guard let key = overrides["SIGNALBOX_KEY"] ?? entry?.key, !key.isEmpty else { throw .noKey(stage) }
        (self.stage, self.address, self.key) = (stage, url, key)
    }

    private struct Entry: Decodable {
        var address: String?
        var key: String?
    }

    private static func entries(_ file: Data?) throws(ConfigurationError) -> [String: Entry] {
        guard let file else { return [:] }
        do {
            return try JSONDecoder().decode([String: Entry].self, from: file)
        } catch {
            throw .unreadable("\(error)")
        }
    }
}
