/// Events, crashes and sessions as Sentry's SDKs send them.
enum Sentry {
    static let routes: [Route] = []
}
