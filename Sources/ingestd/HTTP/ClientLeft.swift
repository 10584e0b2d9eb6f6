// SPDX-License-Identifier: Apache-2.0

/// The error of a handler whose client disconnected while it waited. Nobody reads the response, which is counted and logged with status 499.
struct ClientLeft: Error {
    static let status = 499
}
