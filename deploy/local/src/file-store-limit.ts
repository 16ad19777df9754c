import type { StatsFs } from 'node:fs';
import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes that the streams may take on a large volume. */
const MOST = 8 * 2 ** 30;
/** Part of the free space that the streams may take, in percent. */
const PERCENT = 80;

type Volume = Pick<StatsFs, 'bavail' | 'bsize'>;

/**
 * Bytes that JetStream may store in a directory, which exists: 8 GiB, and on a smaller volume what it has plus four
 * fifths of what is free. At its own limit NATS refuses messages and takes them again when there is space. After a
 * write error on a full volume it refuses them until it starts again.
 */
export function fileStoreLimit(directory: string, { bavail, bsize }: Volume = statfsSync(directory)): number {
  return Math.min(MOST, storedBytes(directory) + Math.floor((bavail * bsize * PERCENT) / 100));
}

function storedBytes(directory: string): number {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => existsSync(path))
    .reduce((sum, path) => sum + statSync(path).size, 0);
}
