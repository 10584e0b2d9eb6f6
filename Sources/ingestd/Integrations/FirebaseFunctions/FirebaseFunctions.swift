// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

/// Calls at the path of Firebase's emulator, to which SDKs are pointed by host and port (`connectFunctionsEmulator`).
///
///     POST /shop/us-central1/receipt {"data": …}   →   as POST /v1/call/shop/receipt
///
/// In development with `accounts.emulator`, callers need no key and may have unsigned ID tokens, as at the emulator.
enum FirebaseFunctions {
    static let integration = Integration(
        "Firebase Functions", refusal: Callables.refusal,
        routes: [Callables.route("/{app}/us-central1/{name}", .integration(key))])

    private static let key = IntegrationKey(roles: [.ingest], place: .authorization, emulation: .documents)
}
