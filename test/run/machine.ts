import { readFileSync, readdirSync } from 'node:fs';
import { freemem, loadavg, totalmem } from 'node:os';

/** A process with its parent and the processor time that it has used, in clock ticks of 10 ms. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  readonly command: string;
}

const MOST_PROCESSES = 10;
const TICKS_PER_SECOND = 100;

/** The other work of the machine during a run: tells a slow machine from a wrong test. Only Linux lists processes. */
export class MachineLoad {
  readonly #before = listProcesses();

  /** The load average, the free memory and the busiest processes that this one did not start. */
  describe(): string {
    const gigabytes = (bytes: number): string => (bytes / 2 ** 30).toFixed(1);
    const load = loadavg().map((average) => average.toFixed(1));
    const others = busiestOthers(this.#before, listProcesses(), process.pid);
    return [
      `Load average ${load.join(', ')}; ${gigabytes(freemem())} of ${gigabytes(totalmem())} GiB memory free.`,
      ...others.map(({ pid, ticks, command }) => {
        const seconds = (ticks / TICKS_PER_SECOND).toFixed(1);
        return `  process ${pid} used ${seconds} s of processor time: ${command}`;
      }),
    ].join('\n');
  }
}

/** The processes that `self` started, directly or not, and itself. */
export function familyOf(self: number, processes: readonly Process[]): ReadonlySet<number> {
  const family = new Set([self]);
  let size = 0;
  while (size < family.size) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  return family;
}

/** The processes that used most processor time between two lists and are neither `self` nor started by it. */
export function busiestOthers(before: readonly Process[], after: readonly Process[], self: number): Process[] {
  const own = familyOf(self, after);
  const earlier = new Map(before.map(({ pid, ticks }) => [pid, ticks]));
  return after
    .map((one) => ({ ...one, ticks: one.ticks - (earlier.get(one.pid) ?? 0) }))
    .filter(({ pid, ticks }) => ticks > 0 && !own.has(pid))
    .toSorted((first, second) => second.ticks - first.ticks)
    .slice(0, MOST_PROCESSES);
}

/** All processes of the machine. Empty outside of Linux. */
export function listProcesses(): Process[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The name of the program stands in parentheses and may have spaces. See proc(5).
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim().slice(0, 120);
        const ticks = Number(fields[11]) + Number(fields[12]);
        return [{ pid: Number(name), parent: Number(fields[1]), ticks, command }];
      } catch {
        return []; // The process has ended meanwhile.
      }
    });
}
