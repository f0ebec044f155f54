-- SPDX-License-Identifier: MIT
--
-- control.db, version 1: what was asked for and accepted. Small rows, synchronous FULL. Digests are
-- 32 bytes, times unix milliseconds (0: not yet), JSON is text.

-- Assets by digest; their bytes are files. A name points at its newest.
CREATE TABLE assets (
    digest BLOB PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    content_digest BLOB NOT NULL,
    bytes INTEGER NOT NULL,
    summary TEXT NOT NULL,
    params TEXT NOT NULL,
    created INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX assets_content ON assets (content_digest);

CREATE TABLE asset_names (
    name TEXT PRIMARY KEY NOT NULL,
    digest BLOB NOT NULL REFERENCES assets (digest)
) WITHOUT ROWID;
CREATE INDEX asset_names_digest ON asset_names (digest);

-- Documents under a digest. kind 0: canonical graph; 1: a dungeon's request under its build key.
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    digest BLOB NOT NULL,
    document TEXT NOT NULL,
    created INTEGER NOT NULL,
    UNIQUE (kind, digest)
);

CREATE TABLE worlds (
    name TEXT PRIMARY KEY NOT NULL,
    revision BLOB NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
) WITHOUT ROWID;

-- Every revision a world had; id gives their order.
CREATE TABLE revisions (
    id INTEGER PRIMARY KEY,
    world TEXT NOT NULL REFERENCES worlds (name) ON DELETE CASCADE,
    revision BLOB NOT NULL,
    document TEXT NOT NULL,
    created INTEGER NOT NULL,
    UNIQUE (world, revision)
);

-- Which revision binds which asset: what is bound cannot be deleted.
CREATE TABLE bindings (
    asset BLOB NOT NULL REFERENCES assets (digest),
    revision INTEGER NOT NULL REFERENCES revisions (id) ON DELETE CASCADE,
    PRIMARY KEY (asset, revision)
) WITHOUT ROWID;
CREATE INDEX bindings_revision ON bindings (revision);

CREATE TABLE jobs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    request_key BLOB NOT NULL,
    request TEXT NOT NULL,
    world TEXT NOT NULL,
    revision BLOB NOT NULL,
    state TEXT NOT NULL,
    total INTEGER NOT NULL,
    done INTEGER NOT NULL,
    cached INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    evicted INTEGER NOT NULL,
    created INTEGER NOT NULL,
    started INTEGER NOT NULL,
    finished INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    keep INTEGER NOT NULL,
    problems TEXT NOT NULL
);
CREATE INDEX jobs_request_key ON jobs (request_key, number);
CREATE INDEX jobs_state ON jobs (state, number);

-- Finished tasks in completion order, and once per cell: a restart knows from here what is done.
CREATE TABLE job_tasks (
    job INTEGER NOT NULL REFERENCES jobs (number),
    n INTEGER NOT NULL,
    output TEXT NOT NULL,
    level INTEGER NOT NULL,
    x INTEGER NOT NULL,
    z INTEGER NOT NULL,
    build_key BLOB NOT NULL,
    digest BLOB NOT NULL,
    count INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    cached INTEGER NOT NULL,
    PRIMARY KEY (job, n)
) WITHOUT ROWID;
CREATE UNIQUE INDEX job_tasks_cell ON job_tasks (job, output, level, x, z);
