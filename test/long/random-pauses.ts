import { familyOf, listProcesses } from '../run/machine.ts';

export interface PauseLimits {
  /** Milliseconds from the end of a pause to the next one. */
  readonly between: readonly [least: number, most: number];
  /** Milliseconds of a pause. */
  readonly length: readonly [least: number, most: number];
}

const LIMITS: PauseLimits = { between: [500, 3_000], length: [200, 1_500] };

/**
 * Stops one process after the other that `root` started, at random moments, and lets it go on. The result ends that,
 * and returns the number of pauses. Linux only.
 */
export function pauseAtRandom(root: number, { between, length }: PauseLimits = LIMITS): () => number {
  let pauses = 0;
  let stopped: number | undefined;
  const goOn = (): void => {
    if (stopped !== undefined) signal(stopped, 'SIGCONT');
    stopped = undefined;
  };
  const pause = (): void => {
    const children = [...familyOf(root, listProcesses())].filter((pid) => pid !== root);
    const pid = children[Math.floor(Math.random() * children.length)];
    if (pid !== undefined && signal(pid, 'SIGSTOP')) {
      stopped = pid;
      pauses += 1;
    }
    timer = setTimeout(() => {
      goOn();
      timer = setTimeout(pause, within(between));
    }, within(length));
  };
  let timer = setTimeout(pause, within(between));
  return () => {
    clearTimeout(timer);
    goOn();
    return pauses;
  };
}

function within([least, most]: readonly [number, number]): number {
  return least + Math.random() * (most - least);
}

/** False when the process has ended meanwhile. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
