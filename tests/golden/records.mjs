// SPDX-License-Identifier: MIT
//
// records.mjs: hashes what the digest program wrote: node records.mjs FILE prints a line for each
// record, "digest HEX" for an artifact and "key HEX" for key bytes. Ends with 1 when the file does
// not end with a record's last byte.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const names = { d: 'digest', k: 'key' };
const headBytes = 5;
const bytes = readFileSync(process.argv[2]);
let at = 0;
while (at + headBytes <= bytes.length) {
    const name = names[String.fromCharCode(bytes[at])];
    const end = at + headBytes + bytes.readUInt32LE(at + 1);
    if (name === undefined || end > bytes.length) {
        break;
    }
    const hash = createHash('sha256').update(bytes.subarray(at + headBytes, end)).digest('hex');
    console.log(`${name} ${hash}`);
    at = end;
}
if (at !== bytes.length) {
    console.error(`records.mjs: ${process.argv[2]}: damaged at byte ${at}`);
    process.exitCode = 1;
}
