-- SPDX-License-Identifier: MIT
--
-- cache.db, version 1: what can be computed again. Two layers: results (key -> digest) and blobs
-- (digest -> bytes); a hit needs both. Rowid tables, so that large values hang off the leaves of a
-- table and not off the nodes of an index.

CREATE TABLE blobs (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    bytes BLOB NOT NULL
);

-- blob: the row that holds the bytes of digest; it may be gone (damaged, removed). used: a counter
-- of uses, not a time; the smallest is evicted first.
CREATE TABLE results (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    digest BLOB NOT NULL,
    blob INTEGER NOT NULL,
    used INTEGER NOT NULL
);
CREATE INDEX results_blob ON results (blob);
CREATE INDEX results_used ON results (used);
