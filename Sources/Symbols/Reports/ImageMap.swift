import Crashes

/// The images of a report by where they lay.
struct ImageMap {
    /// By address.
    let ordered: [BinaryImage]

    init(_ images: [BinaryImage]) {
        ordered = images.filter { $0.address != nil }.sorted { ($0.address ?? 0) < ($1.address ?? 0) }
    }

    /// The image that holds the frame's address. One without a size ends where the next begins.
    func image(of frame: StackFrame) -> BinaryImage? {
        guard let address = frame.address else { return nil }
        let index = ordered.lowerBound { ($0.address ?? 0) <= address }
        guard index > 0, let start = ordered[index - 1].address else { return nil }
        let image = ordered[index - 1]
        guard let size = image.size, size > 0 else { return image }
        return address - start < size ? image : nil
    }

    /// The debug ids of the images that frames lie in, each once.
    func wanted(by frames: some Sequence<StackFrame>) -> [DebugID] {
        var seen: Set<DebugID> = []
        return frames.compactMap { image(of: $0)?.debugID }.filter { seen.insert($0).inserted }
    }
}
