-- SPDX-License-Identifier: MIT
--
-- control.db, version 4: whose token set a job going, among whose jobs it counts until it ends, behind a
-- restart too. Empty: nobody's. A program that does not know the column leaves it empty.

ALTER TABLE jobs ADD COLUMN owner TEXT NOT NULL DEFAULT '';
