// SPDX-License-Identifier: Apache-2.0

/// Classes, folders and files of libraries and runtimes. They belong to rule 2: a change here changes stored groups and needs a new rule.
enum LibraryNames {
    private static let classes = bytes([
        "java.", "javax.", "jakarta.", "android.", "androidx.", "com.android.", "dalvik.", "kotlin.", "kotlinx.", "sun.", "jdk.", "com.sun.",
        "libcore.", "scala.", "groovy.", "clojure.", "org.springframework.", "org.apache.", "org.hibernate.", "org.eclipse.", "org.jboss.",
        "org.postgresql.", "org.mariadb.", "org.junit.", "org.slf4j.", "org.json.", "org.jetbrains.", "com.fasterxml.", "com.google.",
        "com.mysql.", "com.zaxxer.", "com.squareup.", "com.facebook.react.", "com.bumptech.", "ch.qos.", "io.netty.", "io.ktor.", "io.grpc.",
        "io.reactivex.", "io.sentry.", "io.micrometer.", "io.vertx.", "io.undertow.", "io.micronaut.", "io.quarkus.", "reactor.", "rx.",
        "okhttp3.", "okio.", "retrofit2.", "feign.", "akka.", "coil.", "dagger.", "net.sf.", "brave.", "redis.clients.",
        "System.", "Microsoft.", "UnityEngine.", "UnityEditor.", "Unity.", "Newtonsoft.", "Npgsql.", "MySqlConnector.", "Xamarin.", "Mono.",
        "NUnit.", "Xunit.", "Serilog.", "Dapper.", "Polly.", "Grpc.", "Sentry.",
    ])
    private static let folders = bytes([
        "/site-packages/", "/dist-packages/", "/node_modules/", "/lib/python", "/vendor/bundle/", "/gems/", "/lib/ruby/", "/vendor/",
        "/go/pkg/mod/", "/usr/local/go/", "/goroot/", "/rustc/", "/.cargo/registry/", "/cargo/registry/", "/deps/", "/.pub-cache/",
    ])
    private static let beginnings = bytes([
        "node:", "internal/", "dart:", "package:flutter/", "<frozen ", "vendor/", "deps/", "/usr/lib/", "/lib/", "[internal]",
    ])
    private static let scriptFolders = bytes(["/node_modules/", "/~/", "/bower_components/", "/webpack/bootstrap", "/webpack/runtime"])
    private static let scripts = bytes([
        "vendor", "vendors", "polyfill", "polyfills", "zone", "runtime", "webpack-runtime", "react.dom", "react", "jquery", "angular", "vue",
        "chunk.vendors", "chunk.core", "chunk.common", "lodash", "axios", "framework", "bootstrap", "internalbytecode",
    ])

    private static let dartPackages: Set<Substring> = [
        "flutter", "dio", "http", "bloc", "flutter_bloc", "provider", "riverpod", "flutter_riverpod", "rxdart", "get", "get_it", "hive", "isar",
        "drift", "sqflite", "go_router", "auto_route", "firebase_core", "cloud_firestore", "shared_preferences", "json_annotation", "sentry",
        "sentry_flutter", "async", "collection", "stack_trace", "stream_channel", "web_socket_channel", "graphql", "chopper", "retrofit", "mobx",
    ]

    /// Functions of React, which bundlers put into the app's file.
    private static let reactFunctions: Set = [
        "renderRootSync", "workLoopSync", "workLoopConcurrent", "performUnitOfWork", "beginWork", "updateFunctionComponent", "updateClassComponent",
        "finishClassComponent", "renderWithHooks", "batchedUpdates", "dispatchEvent", "executeDispatch", "executeDispatchesAndReleaseTopLevel",
        "runExtractedPluginEventsInBatch", "commitRoot", "commitRootImpl", "commitHookEffectListMount", "commitPassiveMountEffects",
        "flushPassiveEffects", "flushPassiveEffectsImpl", "performSyncWorkOnRoot", "performConcurrentWorkOnRoot", "flushSyncCallbackQueue",
        "flushSyncCallbacks", "invokeGuardedCallbackImpl", "invokeGuardedCallback", "callCallback", "reconcileChildFibers",
        "createFiberFromTypeAndProps",
        "mountIndeterminateComponent", "scheduleUpdateOnFiber", "_receiveSignal", "_performTransitionSideEffects", "__guard", "__callFunction",
        "callFunctionReturnFlushedQueue", "__callReactNativeMicrotasks", "metroRequire", "guardedLoadModule", "loadModuleImplementation",
    ]

    static func contains(react function: String) -> Bool { reactFunctions.contains(function) }

    static func contains(dartPackage name: String) -> Bool { dartPackages.contains(name[...]) }

    private static let namespaces = bytes([
        "Illuminate\\", "Symfony\\", "Doctrine\\", "Twig\\", "Monolog\\", "GuzzleHttp\\", "Psr\\", "Laravel\\", "Livewire\\", "Carbon\\", "Sentry\\",
        "Composer\\", "League\\", "Filament\\", "Spatie\\", "PHPUnit\\", "Predis\\", "Aws\\", "Stripe\\", "Slim\\", "yii\\", "Cake\\", "Laminas\\",
        "Nette\\",
    ])

    static func contains(namespace name: String) -> Bool {
        let name = Array(name.utf8)[...]
        return !name.contains(UInt8(ascii: "@")) && namespaces.contains { name.begins(with: $0) }
    }

    static func contains(class name: String) -> Bool {
        let name = Array(name.utf8)[...]
        return classes.contains { name.begins(with: $0) }
    }

    static func contains(file path: String) -> Bool {
        let path = Array(path.utf8)[...]
        return beginnings.contains { path.begins(with: $0) } || has(path, folders)
    }

    static func contains(script path: String) -> Bool {
        let bytes = Array(path.utf8)[...]
        if bytes.begins(with: beginnings[0]) || has(bytes, scriptFolders) { return true }
        var name: [UInt8] = []
        FilePath.write(path, to: &name)
        let last = name.lastIndex(of: UInt8(ascii: "/")).map { name[($0 + 1)...] } ?? name[...]
        let stem = last.prefix { $0 != UInt8(ascii: ".") }
        return scripts.contains { stem.elementsEqual($0) || last.elementsEqual($0) }
    }

    private static func has(_ path: ArraySlice<UInt8>, _ folders: [[UInt8]]) -> Bool {
        path.indices.contains { i in path[i] == UInt8(ascii: "/") && folders.contains { path[i...].begins(with: $0) } }
    }

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
}
