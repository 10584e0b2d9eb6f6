// SPDX-License-Identifier: Apache-2.0

import Platform

/// Clients whose batches all had no writes. Rules allow such a batch to everyone, so an app keeps a bounded number of them.
extension DocumentContext {
    /// Forgets some of an app's oldest clients without writes if it has as many as are kept. They are counted again only then and at first.
    func makeRoomForClientWithoutWrites(of app: AppID) throws {
        let bound = DocumentBounds.clientsWithoutWrites
        var count = clientsWithoutWrites[app] ?? bound
        if count >= bound { count = try file.clientsWithoutWrites(of: app) }
        if count >= bound { count -= try file.removeClientsWithoutWrites(of: app, atMost: DocumentBounds.clientsForgottenAtOnce) }
        clientsWithoutWrites[app] = count + 1
    }
}
