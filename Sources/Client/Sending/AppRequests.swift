// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The app and the identity of requests to routes that name the app: the signed-in user if there is one, else the key.
struct AppRequests: Sendable {
    enum Failure: Error {
        /// Neither the options nor an ID token name the app.
        case appUnknown
        case sessionEnded(SessionEnd)
        /// Another user is signed in than the owner of the requests, or nobody.
        case userChanged
        case other(SignalboxError)
    }

    typealias Target = (app: String, token: String?, user: String?)

    /// The identity as which requests may be sent.
    enum Owner: Equatable {
        /// The user who is signed in when a request is sent.
        case anybody
        /// One user; `nil` for nobody, whose requests have the key.
        case one(String?)
    }

    let options: SignalboxOptions
    let keeper: SessionKeeper

    /// - Parameters:
    ///   - owner: The identity; a request is not sent as anybody else.
    ///   - rejected: A token that the daemon did not take; it is refreshed.
    func target(of owner: Owner = .anybody, insteadOf rejected: String? = nil) async throws(Failure) -> Target {
        let session = try await session(insteadOf: rejected)
        if case .one(let user) = owner, user != session?.user.id { throw .userChanged }
        guard let app = options.app ?? session.flatMap({ TokenClaims(of: $0.idToken)?.sb_app }).map(String.init) else { throw .appUnknown }
        return (app, session?.idToken, session?.user.id)
    }

    private func session(insteadOf rejected: String?) async throws(Failure) -> StoredSession? {
        do {
            return try await keeper.session(insteadOf: rejected)
        } catch .notSignedIn {
            return nil
        } catch .sessionEnded(let reason) {
            throw .sessionEnded(reason)
        } catch {
            throw .other(error.asSignalboxError)
        }
    }
}
