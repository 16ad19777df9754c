import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface MemoryVolume {
  readonly directory: string;
  remove(): void;
}

/** A volume of its own in memory (tmpfs), or undefined for users who may not mount one. */
export function memoryVolume(mebibytes: number): MemoryVolume | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-volume-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', directory]);
  if (status !== 0) {
    rmSync(directory, { recursive: true });
    return undefined;
  }
  return {
    directory,
    remove: () => {
      execFileSync('umount', [directory]);
      rmSync(directory, { recursive: true });
    },
  };
}
