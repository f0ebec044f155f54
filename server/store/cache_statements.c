/* SPDX-License-Identifier: MIT
 *
 * cache_statements.c: the SQL of the writer of cache.db in one table.
 */
#include "server/store/cache_writer.h"

const char *const cache_sql[CACHE_STATEMENTS] = {
    [CACHE_BEGIN] = "BEGIN IMMEDIATE",
    [CACHE_COMMIT] = "COMMIT",
    [CACHE_ROLLBACK] = "ROLLBACK",
    [CACHE_PAGES] = "PRAGMA page_count",
    [CACHE_PAGES_FREE] = "PRAGMA freelist_count",
    [CACHE_RESULT_FIND] = "SELECT r.digest, b.id IS NOT NULL FROM results r "
                          "LEFT JOIN blobs b ON b.id = r.blob WHERE r.key = ?1",
    [CACHE_RESULT_INSERT] = "INSERT INTO results (key, digest, blob, used) VALUES (?1, ?2, ?3, ?4)",
    [CACHE_RESULT_UPDATE] = "UPDATE results SET digest = ?2, blob = ?3, used = ?4 WHERE key = ?1",
    [CACHE_RESULT_TOUCH] = "UPDATE results SET used = ?2 WHERE key = ?1 AND used < ?3",
    [CACHE_RESULT_DELETE] = "DELETE FROM results WHERE id = ?1",
    [CACHE_RESULT_DELETE_WRONG] = "DELETE FROM results WHERE key = ?1 AND blob = ?2 AND blob <> 0 "
                                  "AND digest IS NOT (SELECT digest FROM blobs WHERE id = ?2)",
    [CACHE_RESULTS_DETACH] = "UPDATE results SET blob = 0 WHERE blob = ?1",
    [CACHE_RESULTS_OLDEST] = "SELECT id, blob, used, key FROM results ORDER BY used LIMIT ?1",
    [CACHE_RESULT_USED] = "UPDATE results SET used = ?1 WHERE id = ?2",
    [CACHE_BLOB_FIND] = "SELECT id FROM blobs WHERE digest = ?1",
    [CACHE_BLOB_READ] = "SELECT digest, bytes FROM blobs WHERE id = ?1",
    [CACHE_BLOB_INSERT] = "INSERT INTO blobs (digest, bytes) VALUES (?1, ?2)",
    [CACHE_BLOB_DELETE] = "DELETE FROM blobs WHERE id = ?1",
    [CACHE_BLOB_DELETE_ORPHAN] = "DELETE FROM blobs WHERE id = ?1 "
                                 "AND NOT EXISTS (SELECT 1 FROM results WHERE blob = ?1)",
    [CACHE_VERDICT_INSERT] = "INSERT OR REPLACE INTO verdicts (artifact, checks, text) "
                             "SELECT ?1, ?2, ?3 WHERE EXISTS "
                             "(SELECT 1 FROM blobs WHERE digest = ?1)",
};
