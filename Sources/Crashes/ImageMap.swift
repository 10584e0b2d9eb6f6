// SPDX-License-Identifier: Apache-2.0

/// An index of a report's images by address.
package struct ImageMap {
    /// The images in ascending order of their addresses.
    private let images: [BinaryImage]

    package init(_ images: [BinaryImage]) {
        self.images = images.filter { $0.address != nil }.sorted { ($0.address ?? 0) < ($1.address ?? 0) }
    }

    /// Returns the image that contains the address. An image without a size extends to the next one.
    package func image(at address: UInt64) -> BinaryImage? {
        var (low, high) = (0, images.count)
        while low < high {
            let middle = (low + high) / 2
            if (images[middle].address ?? 0) <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0, let start = images[low - 1].address else { return nil }
        let image = images[low - 1]
        guard let size = image.size, size > 0 else { return image }
        return address - start < size ? image : nil
    }

    /// Returns the image that contains the frame's address.
    package func image(of frame: StackFrame) -> BinaryImage? {
        frame.address.flatMap(image(at:))
    }
}
