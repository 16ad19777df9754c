import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A server that wrote this pid file may still be ending (its parent was killed a moment ago): waits for it. A file that
 * is left from a power cut names a process that is somebody else by now: it is removed.
 */
export async function awaitFormerServer(pidFile: string, program: string, patience = 10_000): Promise<void> {
  const until = Date.now() + patience;
  while (existsSync(pidFile)) {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    if (!runs(pid, program)) return rmSync(pidFile, { force: true });
    if (Date.now() > until) {
      throw new Error(
        `Process ${pid} (${basename(program)}) still uses this data directory: ${pidFile}. Stop it first.`,
      );
    }
    await sleep(100);
  }
}

function runs(pid: number, program: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const commandLine = `/proc/${pid}/cmdline`;
  // Elsewhere than on Linux the pid alone has to do.
  return !existsSync(commandLine) || readFileSync(commandLine, 'utf8').includes(basename(program));
}
