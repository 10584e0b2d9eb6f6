// SPDX-License-Identifier: Apache-2.0

/// Classes, folders and files of libraries and runtimes. They belong to rule 2: a change here changes stored groups and needs a new rule.
enum LibraryNames {
    private static let classes = WordList([
        "java.", "javax.", "jakarta.", "android.", "androidx.", "com.android.", "dalvik.", "kotlin.", "kotlinx.", "sun.", "jdk.", "com.sun.",
        "libcore.", "scala.", "groovy.", "clojure.", "org.springframework.", "org.apache.", "org.hibernate.", "org.eclipse.", "org.jboss.",
        "org.postgresql.", "org.mariadb.", "org.junit.", "org.slf4j.", "org.json.", "org.jetbrains.", "com.fasterxml.", "com.google.",
        "com.mysql.", "com.zaxxer.", "com.squareup.", "com.facebook.react.", "com.bumptech.", "ch.qos.", "io.netty.", "io.ktor.", "io.grpc.",
        "io.reactivex.", "io.sentry.", "io.micrometer.", "io.vertx.", "io.undertow.", "io.micronaut.", "io.quarkus.", "reactor.", "rx.",
        "okhttp3.", "okio.", "retrofit2.", "feign.", "akka.", "coil.", "dagger.", "net.sf.", "brave.", "redis.clients.",
        "System.", "Microsoft.", "UnityEngine.", "UnityEditor.", "Unity.", "Newtonsoft.", "Npgsql.", "MySqlConnector.", "Xamarin.", "Mono.",
        "NUnit.", "Xunit.", "Serilog.", "Dapper.", "Polly.", "Grpc.", "Sentry.",
    ])
    /// Written behind a slash.
    private static let folders = WordList([
        "site-packages/", "dist-packages/", "node_modules/", "lib/python", "vendor/bundle/", "gems/", "lib/ruby/", "vendor/",
        "go/pkg/mod/", "usr/local/go/", "goroot/", "rustc/", ".cargo/registry/", "cargo/registry/", "deps/", ".pub-cache/",
    ])
    private static let beginnings = WordList([
        "node:", "internal/", "dart:", "package:flutter/", "<frozen ", "vendor/", "deps/", "/usr/lib/", "/lib/", "[internal]",
    ])
    private static let scriptFolders = WordList(["node_modules/", "~/", "bower_components/", "webpack/bootstrap", "webpack/runtime"])
    private static let scripts = WordList([
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
        "createFiberFromTypeAndProps", "createTextInstance", "completeWork", "completeUnitOfWork", "updateMemoComponent", "updateSimpleMemoComponent",
        "updateForwardRef", "mountLazyComponent", "renderRootConcurrent", "recoverFromConcurrentError", "performWorkUntilDeadline",
        "runWithFiberInDEV",
        "react_stack_bottom_frame", "throwInvalidHookError", "resolveDispatcher", "commitMutationEffects", "commitLayoutEffects", "getEnforcing",
        "requireNativeComponent", "mountIndeterminateComponent", "scheduleUpdateOnFiber", "_receiveSignal", "_performTransitionSideEffects",
        "__guard", "__callFunction",
        "callFunctionReturnFlushedQueue", "__callReactNativeMicrotasks", "metroRequire", "guardedLoadModule", "loadModuleImplementation",
    ]

    static func contains(react function: String) -> Bool { reactFunctions.contains(function) }

    static func contains(dartPackage name: String) -> Bool { dartPackages.contains(name[...]) }

    private static let namespaces = WordList([
        "Illuminate\\", "Symfony\\", "Doctrine\\", "Twig\\", "Monolog\\", "GuzzleHttp\\", "Psr\\", "Laravel\\", "Livewire\\", "Carbon\\", "Sentry\\",
        "Composer\\", "League\\", "Filament\\", "Spatie\\", "PHPUnit\\", "Predis\\", "Aws\\", "Stripe\\", "Slim\\", "yii\\", "Cake\\", "Laminas\\",
        "Nette\\",
    ])

    static func contains(namespace name: String) -> Bool {
        let name = Array(name.utf8)[...]
        return !name.contains(UInt8(ascii: "@")) && namespaces.begins(name)
    }

    static func contains(class name: String) -> Bool {
        classes.begins(Array(name.utf8)[...])
    }

    static func contains(file path: String) -> Bool {
        let path = Array(path.utf8)[...]
        return beginnings.begins(path) || has(path, folders)
    }

    static func contains(script path: String) -> Bool { contains(script: path, named: FilePath.name(of: path)) }

    /// - Parameter name: The path as `FilePath` writes it.
    static func contains(script path: String, named name: [UInt8]) -> Bool {
        let path = Array(path.utf8)[...]
        if path.begins(with: nodeScheme) || has(path, scriptFolders) { return true }
        let last = name.lastIndex(of: UInt8(ascii: "/")).map { name[($0 + 1)...] } ?? name[...]
        return scripts.contains(last.prefix { $0 != UInt8(ascii: ".") }) || scripts.contains(last)
    }

    private static let nodeScheme = Array("node:".utf8)

    private static func has(_ path: ArraySlice<UInt8>, _ folders: WordList) -> Bool {
        path.indices.contains { i in path[i] == UInt8(ascii: "/") && folders.begins(path[(i + 1)...]) }
    }
}
