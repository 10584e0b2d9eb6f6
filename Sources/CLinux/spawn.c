#define _GNU_SOURCE
#include "CLinuxSpawn.h"
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

int clinux_spawn(const char *program, char *const arguments[], char *const environment[], const char *folder,
                 const int streams[3], pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    for (int place = 0; place < 3; place++) {
        if (streams[place] >= 0)
            posix_spawn_file_actions_adddup2(&actions, streams[place], place);
        else
            posix_spawn_file_actions_addopen(&actions, place, "/dev/null", O_RDWR, 0);
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);

    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    int error = posix_spawn(child, program, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int clinux_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC);
}
