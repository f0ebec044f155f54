/* SPDX-License-Identifier: MIT
 *
 * control_statements.c: the SQL of control.db in one table. Columns of a SELECT stand in the order
 * of the row's struct; the readers in control_*.c count on it.
 */
#include "server/store/control_writer.h"

#define ASSET_COLUMNS "a.kind, a.digest, a.content_digest, a.bytes, a.summary, a.params, a.created"
#define JOB_COLUMNS_WITH(request)                                                                  \
    "id, request_key, " request ", world, revision, state, total, done, cached, failed, evicted, " \
    "created, started, finished, priority, keep, problems, owner"
#define JOB_COLUMNS JOB_COLUMNS_WITH("request")
#define JOB_COLUMNS_LIST JOB_COLUMNS_WITH("''")
/* A page of a list. Without a state, or with one, it is a stretch of the table, or of an index. */
#define JOB_PAGE                                                                                   \
    "number > coalesce((SELECT number FROM jobs WHERE id = ?1), 0) "                               \
    "ORDER BY number LIMIT ?2"

const char *const control_sql[CONTROL_STATEMENTS] = {
    [CONTROL_BEGIN] = "BEGIN",
    [CONTROL_COMMIT] = "COMMIT",
    [CONTROL_ROLLBACK] = "ROLLBACK",
    [CONTROL_SAVE] = "SAVEPOINT request",
    [CONTROL_SAVE_RELEASE] = "RELEASE request",
    [CONTROL_SAVE_UNDO] = "ROLLBACK TO request",

    [ASSET_INSERT] = "INSERT INTO assets (kind, digest, content_digest, bytes, summary, params, "
                     "created) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING",
    [ASSET_EXISTS] = "SELECT 1 FROM assets WHERE digest = ?1",
    [ASSET_FILE_USED] = "SELECT 1 FROM assets WHERE digest = ?1 OR content_digest = ?1 LIMIT 1",
    [ASSET_SELECT_NAME] =
        "SELECT n.name, " ASSET_COLUMNS " FROM asset_names n JOIN assets a ON a.digest = n.digest "
        "WHERE n.name = ?1",
    [ASSET_SELECT_DIGEST] =
        "SELECT coalesce((SELECT min(name) FROM asset_names WHERE digest = ?1), ''), " ASSET_COLUMNS
        " FROM assets a WHERE a.digest = ?1",
    [ASSET_SELECT_LIST] =
        "SELECT n.name, " ASSET_COLUMNS " FROM asset_names n JOIN assets a ON a.digest = n.digest "
        "WHERE n.name > ?1 ORDER BY n.name LIMIT ?2",
    [ASSET_DELETE_UNUSED] = "DELETE FROM assets WHERE digest = ?1 "
                            "AND NOT EXISTS (SELECT 1 FROM asset_names WHERE digest = ?1) "
                            "AND NOT EXISTS (SELECT 1 FROM bindings WHERE asset = ?1)",
    [ASSET_CONTENT] = "SELECT content_digest FROM assets WHERE digest = ?1",
    [ASSET_NAME_SELECT] = "SELECT digest FROM asset_names WHERE name = ?1",
    [ASSET_NAME_PUT] = "INSERT INTO asset_names (name, digest) VALUES (?1, ?2) "
                       "ON CONFLICT (name) DO UPDATE SET digest = excluded.digest",
    [ASSET_NAME_DELETE] = "DELETE FROM asset_names WHERE name = ?1",
    [ASSET_BOUND] = "SELECT r.world, r.revision, '', r.created FROM bindings b "
                    "JOIN revisions r ON r.id = b.revision WHERE b.asset = ?1 "
                    "ORDER BY b.revision LIMIT ?2",

    [DOCUMENT_INSERT] = "INSERT INTO documents (kind, digest, document, created) "
                        "VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
    [DOCUMENT_SELECT] =
        "SELECT kind, digest, document, created FROM documents WHERE kind = ?1 AND digest = ?2",

    [WORLD_UPSERT] = "INSERT INTO worlds (name, revision, created, updated) "
                     "VALUES (?1, ?2, ?3, ?3) ON CONFLICT (name) "
                     "DO UPDATE SET revision = excluded.revision, updated = excluded.updated",
    [WORLD_SELECT] = "SELECT name, revision, created, updated FROM worlds WHERE name = ?1",
    [WORLD_SELECT_LIST] = "SELECT name, revision, created, updated FROM worlds "
                          "WHERE name > ?1 ORDER BY name LIMIT ?2",
    [WORLD_DELETE] = "DELETE FROM worlds WHERE name = ?1",
    [WORLD_BINDINGS] = "SELECT DISTINCT b.asset FROM revisions r "
                       "JOIN bindings b ON b.revision = r.id WHERE r.world = ?1",
    [REVISION_INSERT] = "INSERT INTO revisions (world, revision, document, created) "
                        "VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET "
                        "document = excluded.document",
    [REVISION_ID] = "SELECT id FROM revisions WHERE world = ?1 AND revision = ?2",
    [REVISION_SELECT] = "SELECT world, revision, document, created FROM revisions "
                        "WHERE world = ?1 AND revision = ?2",
    [REVISION_SELECT_LIST] = "SELECT world, revision, '', created FROM revisions "
                             "WHERE world = ?1 ORDER BY id DESC LIMIT ?2",
    [BINDING_INSERT] =
        "INSERT INTO bindings (asset, revision) VALUES (?1, ?2) ON CONFLICT DO NOTHING",

    [JOB_INSERT] = "INSERT INTO jobs (" JOB_COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, "
                   "?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
    [JOB_UPDATE] = "UPDATE jobs SET state = ?2, total = ?3, done = ?4, cached = ?5, failed = ?6, "
                   "evicted = ?7, started = ?8, finished = ?9, problems = ?10, owner = ?11 "
                   "WHERE id = ?1",
    [JOB_NUMBER] = "SELECT number FROM jobs WHERE id = ?1",
    [JOB_SELECT] = "SELECT " JOB_COLUMNS " FROM jobs WHERE id = ?1",
    [JOB_SELECT_LIST] = "SELECT " JOB_COLUMNS_LIST " FROM jobs WHERE " JOB_PAGE,
    [JOB_SELECT_STATE] = "SELECT " JOB_COLUMNS_LIST " FROM jobs WHERE state = ?3 AND " JOB_PAGE,
    /* What failed is done again: a result takes the place of a failure, never of a result. */
    [TASK_INSERT] = "INSERT INTO job_tasks (job, n, output, level, x, z, build_key, digest, "
                    "count, bytes, cached, status, reasons) "
                    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) "
                    "ON CONFLICT (job, output, level, x, z) DO UPDATE SET n = excluded.n, "
                    "digest = excluded.digest, count = excluded.count, bytes = excluded.bytes, "
                    "cached = excluded.cached, status = excluded.status, "
                    "reasons = excluded.reasons WHERE job_tasks.status = 'failed'",
    [TASK_SELECT] = "SELECT n, output, level, x, z, build_key, digest, count, bytes, cached, "
                    "status, reasons FROM job_tasks WHERE job = ?1 AND n > ?2 ORDER BY n LIMIT ?3",
};
