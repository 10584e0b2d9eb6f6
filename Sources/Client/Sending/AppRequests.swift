// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The app and the identity of requests to routes that name the app: the signed-in user if there is one, else the key.
struct AppRequests: Sendable {
    enum Failure: Error {
        /// Neither the options nor an ID token name the app.
        case appUnknown
        case sessionEnded(SessionEnd)
        case other(SignalboxError)
    }

    typealias Target = (app: String, token: String?, user: String?)

    let options: SignalboxOptions
    let keeper: SessionKeeper

    /// - Parameter rejected: A token that the daemon did not take; it is refreshed.
    func target(insteadOf rejected: String? = nil) async throws(Failure) -> Target {
        let session = try await session(insteadOf: rejected)
        guard let app = options.app ?? session.flatMap({ TokenClaims(of: $0.idToken)?.sb_app }).map(String.init) else { throw .appUnknown }
        return (app, session?.idToken, session?.user.id)
    }

    private func session(insteadOf rejected: String?) async throws(Failure) -> StoredSession? {
        do {
            let session = try await keeper.session()
            return rejected != nil && session?.idToken == rejected ? try await keeper.refresh() : session
        } catch .notSignedIn {
            return nil
        } catch .sessionEnded(let reason) {
            throw .sessionEnded(reason)
        } catch {
            throw .other(error.asSignalboxError)
        }
    }
}
