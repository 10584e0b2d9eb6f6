// SPDX-License-Identifier: Apache-2.0

import API

/// The loaded binaries of a report: they name the image and offset of a frame.
struct LoadedImages: Sendable {
    private let images: [(start: UInt64, end: UInt64, image: CrashReport.Image)]

    init(_ images: [CrashReport.Image]) {
        self.images = images.compactMap { image in
            guard let start = image.imageAddr.flatMap(LoadedImages.number) else { return nil }
            let (end, isTooLong) = start.addingReportingOverflow(UInt64(max(0, image.imageSize ?? 0)))
            return (start, isTooLong ? .max : end, image)
        }
    }

    private static func number(_ text: String) -> UInt64? {
        text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    }

    func image(of frame: CrashReport.Frame) -> CrashReport.Image? {
        if let start = frame.imageAddr.flatMap(LoadedImages.number), let found = images.first(where: { $0.start == start }) { return found.image }
        guard let address = frame.instructionAddr.flatMap(LoadedImages.number) else { return nil }
        return images.first { $0.start <= address && address < $0.end }?.image
    }

    /// The file name without its folders.
    func fileName(of frame: CrashReport.Frame) -> String? {
        frame.package.flatMap(LoadedImages.lastPart) ?? image(of: frame)?.fileName
    }

    static func lastPart(_ path: String) -> String? {
        path.split { $0 == "/" || $0 == "\\" }.last.map(String.init)
    }

    /// The function, or else image and offset: `Pay + 0x4d2a`.
    func name(of frame: CrashReport.Frame) -> String {
        if frame.isNamed, let name = [frame.function, frame.rawFunction].compactMap(\.self).first(where: { !$0.isEmpty }) { return name }
        return offset(of: frame) ?? frame.instructionAddr ?? "unknown"
    }

    private func offset(of frame: CrashReport.Frame) -> String? {
        guard let address = frame.instructionAddr.flatMap(LoadedImages.number), let file = fileName(of: frame),
            let start = (frame.imageAddr ?? image(of: frame)?.imageAddr).flatMap(LoadedImages.number), start <= address
        else { return nil }
        return "\(file) + 0x\(String(address - start, radix: 16))"
    }

    /// Image and offset, or else the address.
    func address(of frame: CrashReport.Frame) -> String? {
        guard frame.isNamed else { return frame.instructionAddr }
        return offset(of: frame) ?? frame.instructionAddr
    }
}

extension CrashReport.Image {
    var fileName: String? { (codeFile ?? debugFile).flatMap(LoadedImages.lastPart) }
}
