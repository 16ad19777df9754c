import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** True for users who may mount a volume in memory (tmpfs), for instance root on Linux. */
export function mayMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-mount-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', directory]).status === 0;
  if (mounted) spawnSync('umount', [directory]);
  rmSync(directory, { recursive: true });
  return mounted;
}
