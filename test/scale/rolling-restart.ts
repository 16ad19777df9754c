import type { ScaleStack } from './scale-stack.ts';

/**
 * Ends and starts every replica, one after the other: starting several at once takes all of a small machine. Returns
 * the duration in milliseconds.
 */
export async function rollingRestart(scale: ScaleStack): Promise<number> {
  const began = performance.now();
  for (const one of scale.stack.services) await one.restart();
  return performance.now() - began;
}

/** Restarts one replica of each service from the folder of a release. */
export async function switchRelease(scale: ScaleStack, replica: 1 | 2, root: string): Promise<void> {
  for (const one of scale.every(replica)) await one.restart(root);
}
