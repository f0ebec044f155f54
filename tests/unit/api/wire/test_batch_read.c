/* SPDX-License-Identifier: MIT */
#include "api/wire/batch_document.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGEST "sha256-0066444a09403921c3bab18705ded4fc855678218f1ff19260642fd80082c298"

static loam_status read(const char *json, batch_request *to) {
    fault_list faults;
    fault_clear(&faults);
    return batch_read(loam_text_of(json), to, &faults);
}

Test(batch_read, cells_keep_their_order_and_have_marks_each_of_its_name) {
    batch_request to;
    cr_assert_eq(read("{\"output\":\"trees\",\"cells\":[[0,3,-5],[15,0,0],[0,3,-5]],"
                      "\"have\":{\"0/3/-5\":\"" DIGEST "\"}}",
                      &to),
                 LOAM_OK);
    cr_expect_str_eq(to.output, "trees");
    cr_assert_eq(to.count, 3);
    cr_expect(to.cells[0].z == -5 && to.cells[1].level == 15);
    cr_expect(to.cells[0].has && !to.cells[1].has && to.cells[2].has);
    cr_expect_eq(to.cells[2].digest.bytes[1], 0x66);
}

static char *list_of(int count) {
    char *json = calloc(1, 64 + (size_t)count * 8);
    strcpy(json, "{\"output\":\"a\",\"cells\":[");
    for (int i = 0; i < count; i++) {
        strcat(json, i == 0 ? "[0,0,0]" : ",[0,0,0]");
    }
    return strcat(json, "]}");
}

Test(batch_read, as_many_cells_as_the_limit_and_no_more) {
    batch_request to;
    char *most = list_of(BATCH_CELLS_MAX), *beyond = list_of(BATCH_CELLS_MAX + 1);
    cr_expect_eq(read(most, &to), LOAM_OK);
    cr_expect_eq(to.count, BATCH_CELLS_MAX);
    cr_expect_neq(read(beyond, &to), LOAM_OK);
    free(most);
    free(beyond);
}

Test(batch_read, what_is_wrong_is_refused) {
    static const char *const bad[] = {
        "{\"output\":\"a\",\"cells\":[[16,0,0]]}",
        "{\"output\":\"a\",\"cells\":[[0,0,0,0]]}",
        "{\"output\":\"a\",\"cells\":[[0,\"1\",0]]}",
        "{\"output\":\"A b\",\"cells\":[[0,0,0]]}",
        "{\"output\":\"a\",\"cells\":[[0,0,0]],\"have\":[]}",
        "{\"output\":\"a\",\"cells\":[[0,0,0]],\"have\":{\"0/0/0\":\"sha256-1\"}}",
        "{\"output\":\"a\",\"cells\":[[0,0,0]],\"have\":{\"00/0/0\":\"" DIGEST "\"}}",
        "[]"};
    batch_request to;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_expect_neq(read(bad[i], &to), LOAM_OK, "%s", bad[i]);
    }
}
