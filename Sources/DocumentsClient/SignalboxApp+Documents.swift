// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Signalbox

extension SignalboxApp {
    /// Opens the documents of the signed-in user. They follow sign-ins and sign-outs, and connect at once when the app becomes active.
    ///
    /// ```swift
    /// let signalbox = try SignalboxApp(options)
    /// let documents = try signalbox.documents()
    /// ```
    ///
    /// Call it once and keep the result. Each user has a store of its own, and streams of the earlier user end with a change of the user.
    /// While nobody is signed in, documents are read and written with the key.
    ///
    /// - Parameter change: Changes the options, such as the size of the cache. `user` and `idToken` are those of the app.
    /// - Throws: ``DocumentError`` with the code `unavailable` while the credentials of the user cannot be read, as before the first unlock,
    ///   and with `dataLoss` if the file cannot be opened, or is in use.
    public func documents(_ change: (inout DocumentOptions) -> Void = { _ in }) throws(DocumentError) -> Documents {
        var options = DocumentOptions(address: address, key: key)
        options.folder = folder.appendingPathComponent("Documents")
        change(&options)
        options.idToken = { rejected in
            do throws(AccountError) { return try await self.idToken(insteadOf: rejected) } catch { throw DocumentError(error) }
        }
        options.follows = FollowedUser(
            current: { () throws(DocumentError) in
                do throws(AccountError) { return try self.signedInUser() } catch { throw DocumentError(error) }
            },
            changes: { self.userChanges() })
        let documents = try Documents(options)
        onBecomingActive { [weak documents] in
            guard let documents else { return }
            Task { await documents.connectNow() }
        }
        return documents
    }
}

extension DocumentError {
    /// The reason why there is no ID token now.
    fileprivate init(_ error: AccountError) {
        switch error {
        case .signalbox(let error): self.init(error)
        default: self.init(.unavailable, "No ID token can be had now: \(error)")
        }
    }
}
