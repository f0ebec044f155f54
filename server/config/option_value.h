/* SPDX-License-Identifier: MIT
 *
 * option_value.h: one option's value from text into struct config, checked against the table.
 */
#ifndef LOAM_SERVER_CONFIG_OPTION_VALUE_H
#define LOAM_SERVER_CONFIG_OPTION_VALUE_H

#include "server/config/config.h"
#include "server/config/option.h"

/* Every option at its default. */
void value_defaults(config *settings);
/* `where` begins the error's text: "--workers" or "loamd.conf:3: workers". `first` empties a list
 * that a weaker source has filled. */
LOAM_MUST_USE loam_status value_set(config *settings, const option_schema *option, const char *text,
                                    bool first, const char *where, loam_error *error);
/* A number's default or limit as --help prints it: "16G", "30". */
void value_print(const option_schema *option, int64_t value, char *text, size_t size);
/* Splits "127.0.0.1:7373" or "[::1]:0". */
LOAM_MUST_USE loam_status value_split_address(const char *listen, char *address, size_t size,
                                              uint16_t *port, loam_error *error);

#endif
