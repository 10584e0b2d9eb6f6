// SPDX-License-Identifier: Apache-2.0

import Files

/// The right of one request to go on with an upload. A later request takes it over, and this one can no longer write.
///
/// `write` blocks while the disk does. It is called by one thread at a time.
package struct UploadTurn: Sendable {
    let upload: FileUpload
    let number: Int

    /// The upload as its client began it, with the length that was declared since.
    package var request: UploadRequest {
        var request = upload.request
        request.length = upload.length
        return request
    }

    /// The ID of an upload of several requests; nil for one request.
    package var id: UploadID? { upload.id }
    package var received: Int64 { upload.received }
    /// Whether all declared bytes are here.
    package var isComplete: Bool { upload.isComplete }
    /// Whether the upload has become a file, or was ended.
    package var isOver: Bool { upload.isOver }

    /// Returns how many of the bytes from an offset are here already. Throws if bytes before it are missing.
    package func overlap(from offset: Int64) throws -> Int64 { try upload.overlap(from: offset, number) }

    /// Declares the length of an upload that began without one. Throws if it has another one.
    package func declare(_ length: Int64) async throws { try await upload.declare(length, number) }

    package func write(_ bytes: Span<UInt8>) throws { try upload.write(bytes, number) }

    /// Makes what was received durable and returns the offset, which the client may be told.
    package func pause() async throws -> Int64 { try await upload.pause(number) }

    /// Forgets what was received since the last pause.
    package func cut() throws { try upload.cut(number) }

    /// Makes the upload a file, if the judge allows it with its final size. Repeated, it returns the same row.
    package func finish(_ end: UploadEnd = UploadEnd()) async throws -> StoredFile { try await upload.finish(end, number) }

    /// Ends the upload without a file.
    package func cancel() async throws { try await upload.cancel() }
}
