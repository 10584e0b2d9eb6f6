// SPDX-License-Identifier: Apache-2.0

import CSignalbox

/// The calls that led to something, and the binaries that were loaded then.
struct CallStack {
    /// From the oldest.
    let addresses: [UInt64]
    let images: [CrashFile.Image]

    /// As many as anybody looks at; those that frames lie in come first.
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
    /// Calls of a thread that goes on, beyond which nobody looks.
    static let mostCalls = 100
    /// Newest calls that are not the app's when something is recorded: one in here, and one in what leads from `any Crashes` to here.
    static let ownCalls = 2

    /// - Parameter calls: As `csignalbox_calls` tells them.
    init(calls: ArraySlice<UInt64>) {
        var addresses = Array(calls.reversed())
        // The newest counts as the place itself, and that is the call, not where it goes on.
        if let newest = addresses.popLast() { addresses.append(newest - 1) }
        self.init(addresses: addresses, images: CallStack.images(of: addresses))
    }

    private static func images(of addresses: [UInt64]) -> [CrashFile.Image] {
        var images: [CrashFile.Image] = []
        // The list is told of one image after the other while the call lasts.
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
