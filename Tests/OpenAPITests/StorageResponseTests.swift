// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FileStore
import Platform
import Testing

@testable import ingestd

/// Responses to clients of Firebase's storage.
extension ResponseTests {
    @Test func `responses of Firebase's storage match their schemas exactly`() async throws {
        let schema = try JSONSchema()
        try await RunningDaemon.use(configure: { $0.store.files.reserveBytes = 0 }) { daemon in
            let daemon = Checked(daemon, schema)
            let (bucket, object) = ("/v0/b/{bucket}/o", "/v0/b/{bucket}/o/{path}")
            try await daemon.check("POST", bucket, at: "/v0/b/1/o?name=a%2Fb", as: .admin, "x")
            try await daemon.check("GET", bucket, at: "/v0/b/1/o?maxResults=1", as: .admin)
            try await daemon.check("GET", object, at: "/v0/b/1/o/a%2Fb", as: .admin)
            let details = #"{"contentLanguage": "de", "cacheControl": "no-store", "contentDisposition": "inline", "metadata": {"k": "v"}}"#
            for method in ["PATCH", "PUT"] { try await daemon.check(method, object, at: "/v0/b/1/o/a%2Fb", as: .admin, details) }
            try await daemon.check("POST", object, at: "/v0/b/1/o/a%2Fb", as: .admin, "{}", status: 400)
            try await daemon.check("GET", object, at: "/v0/b/1/o/none", as: .admin, status: 404)
            try await daemon.check("GET", bucket, at: "/v0/b/1/o", as: .read, status: 403)
        }
    }
}
