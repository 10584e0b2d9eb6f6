// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// A user as the app knows it.
public struct AppUser: Sendable, Hashable, Identifiable {
    public var id: String
    public var email: String?
    public var name: String?
    public var photoURL: URL?
    public var isEmailVerified: Bool
    public var isAnonymous: Bool

    public init(
        id: String, email: String? = nil, name: String? = nil, photoURL: URL? = nil, isEmailVerified: Bool = false, isAnonymous: Bool = false
    ) {
        (self.id, self.email, self.name, self.photoURL) = (id, email, name, photoURL)
        (self.isEmailVerified, self.isAnonymous) = (isEmailVerified, isAnonymous)
    }
}

extension AppUser {
    init(_ user: AccountUser) {
        self.init(
            id: user.id, email: user.email, name: user.name, photoURL: user.photoURL, isEmailVerified: user.isEmailVerified,
            isAnonymous: user.isAnonymous)
    }
}
