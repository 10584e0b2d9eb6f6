// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FileStore
import Files
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

    @Test func `responses of Google's storage match their schemas exactly`() async throws {
        let schema = try JSONSchema()
        try await RunningDaemon.use(configure: { ($0.store.files.reserveBytes, $0.store.files.downloadTokens) = (0, .permanent) }) { daemon in
            let daemon = Checked(daemon, schema)
            let (uploads, target) = ("/upload/storage/v1/b/{bucket}/o", "/upload/storage/v1/b/1/o")
            try await daemon.check("POST", uploads, at: "\(target)?uploadType=media&name=a%2Fb", as: .admin, "x")
            try await daemon.check("POST", uploads, at: "\(target)?uploadType=media&name=a%2Fb&ifGenerationMatch=0", as: .admin, "x", status: 412)
            for base in ["", "/storage/v1"] {
                let (bucket, object) = ("\(base)/b/{bucket}", "\(base)/b/{bucket}/o/{path}")
                let (at, one) = ("\(base)/b/1", "\(base)/b/1/o/a%2Fb")
                try await daemon.check("GET", bucket, at: at, as: .admin)
                try await daemon.check("GET", "\(bucket)/o", at: "\(at)/o?maxResults=1&delimiter=/", as: .admin)
                try await daemon.check("GET", object, at: one, as: .admin)
                let details = #"{"contentLanguage": "de", "cacheControl": "no-store", "metadata": {"k": "v", "firebaseStorageDownloadTokens": "t"}}"#
                for method in ["PATCH", "PUT"] { try await daemon.check(method, object, at: one, as: .admin, details) }
                let copy = "b/{destination}/o/{name}"
                try await daemon.check("POST", "\(object)/rewriteTo/\(copy)", at: "\(one)/rewriteTo/b/1/o/c", as: .admin, "{}")
                try await daemon.check("POST", "\(object)/copyTo/\(copy)", at: "\(one)/copyTo/b/1/o/c", as: .admin, "{}")
                try await daemon.check("POST", "\(object)/compose", at: "\(one)/compose", as: .admin, "{}", status: 501)
                try await daemon.check("GET", object, at: "\(base)/b/1/o/none", as: .admin, status: 404)
                try await daemon.check("GET", bucket, at: at, as: .read, status: 403)
            }
            try await daemon.check("POST", "/batch/storage/v1", at: "/batch/storage/v1", as: .admin, "x", status: 501)
        }
    }
}
