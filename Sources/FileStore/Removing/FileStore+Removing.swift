// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
package import Platform

extension FileStore {
    // MARK: Files on the disk

    /// Removes files from the disk that lost their row, as long as nobody holds them.
    func removeLeavingBlobs() async {
        while isRunning {
            do {
                let leaving = try await lookUp { [bounds] file in try file.leaving(atMost: bounds.removedAtOnce) }
                if leaving.isEmpty { return try await threads.run { [spare] in spare.keep() } }
                let gone = try await threads.run { [blobs] in leaving.filter { (try? blobs.remove($0)) ?? false } }
                if gone.isEmpty { return }
                try await change { try $0.file.forgetLeaving(gone) }
            } catch {
                // Files that could not be unlinked are tried again after the next commit that replaces or deletes one.
                return
            }
        }
    }

    /// Removes files from the disk that never got a row, because the process was killed. It runs once after each start, beside uploads.
    func sweep() {
        guard let file = try? FileDB.open(reading: paths.fileRows), let folders = try? blobs.folders() else { return }
        for (app, folder) in folders {
            for name in (try? folder.names()) ?? [] {
                guard isRunning else { return }
                // Unknown names are not the store's.
                guard let blob = BlobName(file: name), !inFlight.contains(blob), (try? file.knows(blob)) == false else { continue }
                _ = try? blobs.remove(LeavingBlob(app: app, name: blob))
            }
        }
    }

    /// Keeps all files that have a row now on the disk, until `releaseBlobs`. A backup copies them meanwhile.
    package func holdBlobs() { blobs.hold() }

    package func releaseBlobs() {
        blobs.release()
        removeLeaving.yield()
    }

    // MARK: Deleted apps

    /// Removes the files of apps that are no longer in the directory, some hundred rows at a time.
    package func forgetDeletedApps() async throws {
        let (directory, limit) = (directory, bounds.removedAtOnce)
        let gone = try await change { context in
            // The directory is read on the writer's thread. An app created later has no rows yet.
            try context.file.apps(in: ["objects", "pending", "uploads", "usage", "links", "changes", "rules", "settings"]).subtracting(
                directory.now.apps.keys.map(\.rawValue))
        }
        for app in gone {
            inFlight.erase { $0.app.rawValue == app }
            try await SpareSpace.inPieces(atMost: limit) { limit in
                try await change(nil) { try $0.removeSome(ofApp: AppID(rawValue: app), atMost: limit) }
            }
            folderMeter.forget(AppID(rawValue: app))
            openUploads.forgetEnded { $0.app.rawValue == app }
            mustEmptyLog.make()
            await removeLeavingBlobs()
            try? await threads.run { [blobs] in try blobs.removeEmptyFolders(of: AppID(rawValue: app)) }
        }
    }

    /// Removes old changes; returns the number of rows.
    package func retain(_ apps: [App]) async throws -> Int {
        var total = 0
        try? await threads.run { [spare] in spare.keep() }
        while case let removed = try await change(nil, { try $0.removeOver() }), removed > 0 { total += removed }
        return total
    }
}
