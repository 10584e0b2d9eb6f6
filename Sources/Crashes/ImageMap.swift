// SPDX-License-Identifier: Apache-2.0

/// An index of a report's images by address.
package struct ImageMap {
    private let images: [BinaryImage]
    /// The images with an address, in ascending order. Of images at one address the last one comes last.
    private var starts: [(address: UInt64, place: Int)] = []

    package init(_ images: [BinaryImage]) {
        self.images = images
        starts.reserveCapacity(images.count)
        for place in images.indices { if let address = images[place].address { starts.append((address, place)) } }
        starts.sort { ($0.address, $0.place) < ($1.address, $1.place) }
    }

    /// Returns the image that contains the address. An image without a size extends to the next one.
    package func image(at address: UInt64) -> BinaryImage? {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle].address <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let (start, place) = starts[low - 1]
        if let size = images[place].size, size > 0, address - start >= size { return nil }
        return images[place]
    }

    /// Returns the image that contains the frame's address.
    package func image(of frame: StackFrame) -> BinaryImage? {
        frame.address.flatMap(image(at:))
    }
}
