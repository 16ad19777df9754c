import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Microseconds of processor time that these processes and their ended children have used so far: PostgreSQL ends the
 * process of a closed connection. 0 without /proc.
 */
export function processorTime(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (processorTimeOf(pid) ?? 0), 0);
}

/** Bytes of RAM that a process uses, or undefined after its end. */
export function residentMemory(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** Bytes of RAM of processes that share memory with each other, each shared page counted once. */
export function proportionalMemory(pids: readonly number[]): number | undefined {
  const sizes = pids.flatMap((pid) => {
    const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1];
    return kilobytes === undefined ? [] : [Number(kilobytes) * 1024];
  });
  return sizes.length === 0 ? undefined : sizes.reduce((sum, size) => sum + size, 0);
}

let tick: number | undefined;
function processorTimeOf(pid: number): number | undefined {
  // Fields 14 to 17: user and system time of the process, and of its ended children. They are counted after the name
  // in parentheses, which may contain spaces.
  const fields = read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');
  if (!fields) return undefined;
  tick ??= 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * tick;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
