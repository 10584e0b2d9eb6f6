/// Events as PostHog's SDKs capture them.
enum PostHog {
    static let routes: [Route] = []
}
