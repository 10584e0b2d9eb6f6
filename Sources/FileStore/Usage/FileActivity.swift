// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// The transfers of an app in the last hour, by minute, oldest first.
package struct FileTraffic: Sendable {
    package var uploads: [Int64]
    package var uploadedBytes: [Int64]
    package var downloads: [Int64]
    package var downloadedBytes: [Int64]
}

/// Stored uploads and begun downloads of apps since the start of the daemon, in memory.
package final class FileActivity: Sendable {
    private struct Record {
        var (uploads, uploadedBytes) = (MinuteSums(), MinuteSums())
        var (downloads, downloadedBytes) = (MinuteSums(), MinuteSums())

        func isIdle(at now: Timestamp) -> Bool { uploads.total(at: now) + downloads.total(at: now) == 0 }
    }

    /// Beyond this number of apps, those that were idle for an hour are forgotten.
    private static let most = 10_000

    private let records = Mutex<[AppID: Record]>([:])

    func noteUpload(_ bytes: Int64, app: AppID, at now: Timestamp) {
        change(app, at: now) { record in
            record.uploads.add(1, at: now)
            record.uploadedBytes.add(bytes, at: now)
        }
    }

    package func noteDownload(_ bytes: Int64, app: AppID, at now: Timestamp) {
        change(app, at: now) { record in
            record.downloads.add(1, at: now)
            record.downloadedBytes.add(bytes, at: now)
        }
    }

    private func change(_ app: AppID, at now: Timestamp, _ body: (inout Record) -> Void) {
        records.withLock { records in
            if records.count >= Self.most, records[app] == nil {
                records = records.filter { !$0.value.isIdle(at: now) }
                guard records.count < Self.most else { return }
            }
            body(&records[app, default: Record()])
        }
    }

    package func traffic(of app: AppID, at now: Timestamp) -> FileTraffic {
        let record = records.withLock { $0[app] } ?? Record()
        return FileTraffic(
            uploads: record.uploads.values(at: now), uploadedBytes: record.uploadedBytes.values(at: now),
            downloads: record.downloads.values(at: now), downloadedBytes: record.downloadedBytes.values(at: now))
    }
}
