// SPDX-License-Identifier: Apache-2.0

import CSignalbox

/// A call stack and the binaries its frames belong to.
struct CallStack {
    /// Return addresses, oldest first.
    let addresses: [UInt64]
    let images: [CrashFile.Image]

    /// The limit of reported images; images that contain frames come first.
    private static let imageCount = 300

    func writeFrames(to json: inout JSONText) {
        json.list("frames", addresses) { json, address in
            let image = images.first { $0.holds(address) }
            json.object { json in
                json.field("instruction_addr", hexadecimal(address))
                guard let image else { return }
                json.field("image_addr", hexadecimal(image.facts.address))
                json.field("package", image.name)
                if let isApp = image.isOfTheApp { json.field("in_app", isApp) }
            }
        }
    }

    func writeImages(to json: inout JSONText) {
        let lieIn = images.filter { image in addresses.contains { image.holds($0) } }
        let others = images.filter { image in !addresses.contains { image.holds($0) } }
        json.list("images", Array((lieIn + others).prefix(CallStack.imageCount))) { json, image in image.write(to: &json) }
    }
}

extension CallStack {
    /// The limit of frames recorded for a handled error.
    static let mostCalls = 100
    /// The number of newest frames inside this library: `record(error:)` and its protocol witness.
    static let ownCalls = 2

    /// - Parameter calls: Return addresses from `csignalbox_calls`, newest first.
    init(calls: ArraySlice<UInt64>) {
        var addresses = Array(calls.reversed())
        // The newest frame is symbolicated as is, so it must be the call and not the return address.
        if let newest = addresses.popLast() { addresses.append(newest - 1) }
        self.init(addresses: addresses, images: CallStack.images(of: addresses))
    }

    private static func images(of addresses: [UInt64]) -> [CrashFile.Image] {
        var images: [CrashFile.Image] = []
        // The callback runs once for each image, before the call returns.
        withUnsafeMutablePointer(to: &images) { images in
            csignalbox_images(
                addresses, addresses.count,
                { images, image, path in
                    guard let images, let image, let path else { return }
                    let list = images.assumingMemoryBound(to: [CrashFile.Image].self)
                    list.pointee.append(CrashFile.Image(facts: image.pointee, path: String(cString: path)))
                }, images)
        }
        return images
    }
}

func hexadecimal(_ address: UInt64) -> String { "0x" + String(address, radix: 16) }
