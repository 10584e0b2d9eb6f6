// SPDX-License-Identifier: Apache-2.0

/// The description of this interface, as it is served.
enum OpenAPI {
    /// `docs/openapi.yaml` as JSON.
    static let document = [UInt8](text.utf8)
}
