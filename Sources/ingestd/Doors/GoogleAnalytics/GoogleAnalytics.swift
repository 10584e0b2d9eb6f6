/// The Measurement Protocol of Google Analytics for app streams.
enum GoogleAnalytics {
    static let routes: [Route] = []
}
