/** `npm run compare`: prints what differs between the surfaces of the working tree and the baseline. */
import { join } from 'node:path';
import { differences } from './differences.ts';
import { breakingChanges, currentSurfaces, readBaseline } from './surfaces.ts';

const root = process.argv[2] ?? join(import.meta.dirname, '../..');
const { version, surfaces: before } = readBaseline(root);
const after = currentSurfaces(root);

const found = differences(before, after);
const breaking = breakingChanges(before, after);
for (const line of found) process.stdout.write(`${line}\n`);
process.stdout.write(`${found.length} differences from ${version}, of which these break clients: ${breaking.length}\n`);
for (const line of breaking) process.stdout.write(`! ${line}\n`);
