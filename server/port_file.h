/* SPDX-License-Identifier: MIT
 *
 * port_file.h: the file that tells who started the daemon on which port it listens. It appears
 * whole, under its name, or not at all.
 */
#ifndef LOAM_SERVER_PORT_FILE_H
#define LOAM_SERVER_PORT_FILE_H

#include "core/loam.h"

LOAM_MUST_USE loam_status port_file_write(const char *path, uint16_t port, loam_error *error);
/* At a clean end, so that nobody takes the port for one that answers. "" is no file. */
void port_file_remove(const char *path);

#endif
