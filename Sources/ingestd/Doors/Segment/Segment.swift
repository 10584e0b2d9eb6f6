/// The calls of Segment's SDKs, and of those that speak like them.
enum Segment {
    static let routes: [Route] = []
}
