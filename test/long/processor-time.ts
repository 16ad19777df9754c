import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

/** Seconds of processor time of all ended descendants whose parents waited for them. Linux only. */
export function childTime(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
}

/** Seconds in which the processors of the machine worked. */
function busyTime(): number {
  const milliseconds = cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq);
  return milliseconds.reduce((sum, one) => sum + one, 0) / 1_000;
}

function ownTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childTime();
}

/**
 * Begins to measure. The result returns the share of all processors, 0 to 1, that other programs have used since;
 * undefined where the system does not count it. Call it when all children have ended.
 */
export function measureOthers(): () => number | undefined {
  if (process.platform !== 'linux') return () => undefined;
  const [busy, own, began] = [busyTime(), ownTime(), performance.now()];
  return () => {
    const others = busyTime() - busy - (ownTime() - own);
    const all = ((performance.now() - began) / 1_000) * availableParallelism();
    return Math.round(Math.min(1, Math.max(0, others / all)) * 100) / 100;
  };
}
