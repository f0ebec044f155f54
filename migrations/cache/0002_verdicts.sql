-- SPDX-License-Identifier: MIT
--
-- cache.db, version 2: verdicts of checks, by the artifact that was judged and by what the verdict
-- depends on beside it. text: empty when it passed, else what was wrong. A verdict lives as long as
-- its artifact.

CREATE TABLE verdicts (
    artifact BLOB NOT NULL,
    checks BLOB NOT NULL,
    text BLOB NOT NULL,
    PRIMARY KEY (artifact, checks)
) WITHOUT ROWID;

CREATE TRIGGER verdicts_of_blob AFTER DELETE ON blobs BEGIN
    DELETE FROM verdicts WHERE artifact = OLD.digest;
END;
