/* SPDX-License-Identifier: MIT
 *
 * field_value.h: what all who read a header's value do first.
 */
#ifndef LOAM_SERVER_HTTP_FIELD_VALUE_H
#define LOAM_SERVER_HTTP_FIELD_VALUE_H

#include "core/loam.h"

/* Without the white space of RFC 9110, section 5.6.3, around it; the same bytes, borrowed. */
loam_text field_trim(loam_text value);
/* Whether it is this word, in whatever case. */
bool field_is(loam_text text, const char *word);

#endif
