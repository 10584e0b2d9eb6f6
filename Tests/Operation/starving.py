# SPDX-License-Identifier: Apache-2.0

"""Stops threads of a process and its descendants, each for up to a second: starving.py PROCESS SEED."""

import os
import random
import sys
import time

SHARE = 0.02
LONGEST = 1.0
PAUSE = 0.03


def descendants(ancestor):
    """The process and its descendants, without this process."""
    children = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as stat:
                # The name before the last bracket may contain any character.
                parent = int(stat.read().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(name))
    found = [ancestor]
    for process in found:
        found += children.get(process, [])
    return [process for process in found if process != os.getpid()]


def threads(processes):
    for process in processes:
        try:
            yield from map(int, os.listdir(f"/proc/{process}/task"))
        except OSError:
            continue


def set_class(thread, policy):
    try:
        os.sched_setscheduler(thread, policy, os.sched_param(0))
    except OSError:
        return False
    return True


def turn(thread, still):
    """New threads inherit the scheduling class, so threads that should not be idle are reset."""
    now = time.monotonic()
    if thread in still and now < still[thread]:
        return
    still.pop(thread, None)
    if random.random() < SHARE and set_class(thread, os.SCHED_IDLE):
        still[thread] = now + random.uniform(0.05, LONGEST)
    else:
        set_class(thread, os.SCHED_OTHER)


def main(ancestor, seed):
    random.seed(seed)
    still = {}
    processes, looked = [], 0.0
    while os.path.exists(f"/proc/{ancestor}"):
        if time.monotonic() - looked > 0.3:
            processes, looked = descendants(ancestor), time.monotonic()
        for thread in threads(processes):
            turn(thread, still)
        time.sleep(PAUSE)


main(int(sys.argv[1]), int(sys.argv[2]))
