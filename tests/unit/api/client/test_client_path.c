/* SPDX-License-Identifier: MIT
 *
 * test_client_path.c: free text in an address.
 */
#include "api/client/loam_client.h"

#include <criterion/criterion.h>

Test(client_path, segments_are_encoded) {
    char path[64] = "/v1/worlds";
    cr_assert(loam_client_path_append(path, sizeof path, "a b/../c%"));
    cr_assert_str_eq(path, "/v1/worlds/a%20b%2F..%2Fc%25");
}

Test(client_path, unreserved_characters_stay) {
    char path[64] = "";
    cr_assert(loam_client_path_append(path, sizeof path, "aZ09-._~"));
    cr_assert_str_eq(path, "/aZ09-._~");
}

Test(client_path, what_does_not_fit_is_refused) {
    char path[8] = "/v1";
    cr_assert(loam_client_path_append(path, sizeof path, "abc"));
    cr_assert_str_eq(path, "/v1/abc");
    cr_assert_not(loam_client_path_append(path, sizeof path, ""));
    char narrow[8] = "/v1";
    cr_assert_not(loam_client_path_append(narrow, sizeof narrow, "ab "));
}
