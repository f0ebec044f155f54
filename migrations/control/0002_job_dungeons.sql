-- SPDX-License-Identifier: MIT
--
-- control.db, version 2: jobs of dungeons. Such a job has no world and revision (empty text, 32 zero
-- bytes), its tasks no output and cell: x is the place in its list. status: ok, degraded, fallback
-- or failed, then without a result; empty for cells. reasons: JSON, an array, or empty.

ALTER TABLE job_tasks ADD COLUMN status TEXT NOT NULL DEFAULT '';
ALTER TABLE job_tasks ADD COLUMN reasons TEXT NOT NULL DEFAULT '';
