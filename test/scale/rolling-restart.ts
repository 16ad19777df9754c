import type { StackService } from '@lyceum/local';
import type { ScaleStack } from './scale-stack.ts';

/**
 * Ends and starts every replica, one after the other: starting several at once takes all of a small machine. While one
 * starts, the next one, of another service, ends: it waits for load balancers first. Returns the duration in
 * milliseconds.
 */
export async function rollingRestart(scale: ScaleStack): Promise<number> {
  const began = performance.now();
  let ended: StackService | undefined;
  for (const one of [...scale.every(1), ...scale.every(2)]) {
    await Promise.all([ended?.start(), one.halt()]);
    ended = one;
  }
  await ended?.start();
  return performance.now() - began;
}

/** Restarts one replica of each service from the folder of a release. */
export async function switchRelease(scale: ScaleStack, replica: 1 | 2, root: string): Promise<void> {
  for (const one of scale.every(replica)) await one.restart(root);
}
