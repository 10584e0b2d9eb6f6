// SPDX-License-Identifier: Apache-2.0

/// The unused bytes between a page's pointers and its cells.
///
///     header │ pointers to cells │ gap │ cells
///
/// `secure_delete` overwrites the place of a deleted cell, but not the former place of a cell that moved when a page was split or joined.
/// Such copies are in gaps, where nothing reads them and nothing overwrites them.
package enum PageGap {
    /// Finds the gap of a page of a table or index. Returns nil for other pages.
    ///
    /// - Parameter isFirst: Whether it is the first page of the file, which begins with the file's header of 100 bytes.
    package static func range(of page: UnsafeRawBufferPointer, isFirst: Bool) -> Range<Int>? {
        let header = isFirst ? 100 : 0
        guard page.count >= 512 else { return nil }
        let headerBytes: Int
        switch page[header] {
        case 2, 5: headerBytes = 12
        case 10, 13: headerBytes = 8
        default: return nil
        }
        let start = header + headerBytes + 2 * number(page, header + 3)
        let firstCell = number(page, header + 5)
        let end = firstCell == 0 ? 65_536 : firstCell
        return start <= end && end <= page.count ? start..<end : nil
    }

    private static func number(_ page: UnsafeRawBufferPointer, _ offset: Int) -> Int { Int(page[offset]) << 8 | Int(page[offset + 1]) }
}
