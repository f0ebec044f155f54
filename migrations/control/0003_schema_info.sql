-- SPDX-License-Identifier: MIT
--
-- control.db, version 3: which programs may open the file. A program knows the schema up to a
-- version; it may read when that is at least min_reader, write when it is at least min_writer. A
-- migration that only adds what older programs need not know leaves both as they are; one that
-- changes or takes away what they read or must write sets them to its own version.

CREATE TABLE schema_info (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    min_reader INTEGER NOT NULL,
    min_writer INTEGER NOT NULL
);
INSERT INTO schema_info (id, min_reader, min_writer) VALUES (1, 3, 3);
