// SPDX-License-Identifier: Apache-2.0

#ifndef CWORK_NAMES_H
#define CWORK_NAMES_H

/* The linker's name of the function around an address of this program, or NULL. It lives as long as the program. */
const char *work_name(const void *place);

#endif
