// SPDX-License-Identifier: MIT
//
// wasi_host.mjs: runs a wasm32-wasi program under node as qemu-user runs those of other machines:
// node wasi_host.mjs PROGRAM ARGUMENTS... The program sees the folders of the file system that its
// arguments name and nothing else of the machine. Node 18 wants the option
// --experimental-wasi-unstable-preview1, newer ones take it.
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { WASI } from 'node:wasi';

// Fast calls crash node 20 and 22 inside WASI (nodejs/node#53087).
setFlagsFromString('--no-turbo-fast-api-calls');

const [program, ...words] = process.argv.slice(2);
const folders = words.filter((word) => word.includes('/')).map(dirname);
const wasi = new WASI({
    version: 'preview1',
    args: [program, ...words],
    preopens: Object.fromEntries(folders.map((folder) => [folder, folder])),
    returnOnExit: true,
});
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
