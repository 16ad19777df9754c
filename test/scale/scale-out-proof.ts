import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASES, runServiceCommand, WORKSPACE } from '@lyceum/local';
import type { Figure, Proof } from '../long/proof.ts';
import { steadyKinds } from './kinds.ts';
import { buildPreviousRelease, type PreviousRelease } from './previous-release.ts';
import { rollingRestart, switchRelease } from './rolling-restart.ts';
import { ScaleStack } from './scale-stack.ts';
import { type LoadReport, SteadyLoad, SUBSCRIPTION } from './steady-load.ts';

const ROLLING_RESTARTS = 3;
/** Time with both releases side by side, in each direction. */
const BOTH_MS = 20_000;
const LEAST_REQUESTS = 1_000;

export const scaleOutProof: Proof = {
  name: 'scale-out',
  title: 'no request fails while replicas stop, all services restart, and two releases run side by side',
  run: async (scratch) => {
    const previous = buildPreviousRelease(WORKSPACE);
    try {
      return [...(await restarts(join(scratch, 'restarts'))), ...(await releases(join(scratch, 'releases'), previous))];
    } finally {
      previous.remove();
    }
  },
};

/** Each replica stops alone, then all services restart several times. */
async function restarts(directory: string): Promise<Figure[]> {
  const scale = await ScaleStack.start(directory);
  try {
    const load = new SteadyLoad(await steadyKinds(scale));
    await load.served(3);
    for (const one of scale.stack.services) {
      await one.halt();
      await load.served(1);
      await one.start();
    }
    const durations: number[] = [];
    for (let count = 0; count < ROLLING_RESTARTS; count += 1) durations.push(await rollingRestart(scale));
    await load.served(3);
    const streams = load.countOf(SUBSCRIPTION);
    const report = await load.stop();
    return [
      ...loadFigures('while each replica stops once and all services restart', report),
      { title: 'streams of tools that ended with their result', value: streams, unit: 'streams', at_least: 4 },
      { title: 'slowest rolling restart of eight replicas', value: Math.max(...durations) / 1_000, unit: 's' },
      shutdownFigure('restarts', scale),
    ];
  } finally {
    await scale.stop();
  }
}

/** Upgrades from the previous release under load, with a return of half of the replicas on the way. */
async function releases(directory: string, previous: PreviousRelease): Promise<Figure[]> {
  const scale = await ScaleStack.start(directory, previous.root);
  try {
    const load = new SteadyLoad(await steadyKinds(scale));
    await load.served(3);
    const began = performance.now();
    for (const service of Object.keys(DATABASES) as (keyof typeof DATABASES)[])
      await runServiceCommand(service, scale.stack.environment(service), 'migrate');
    await load.served(3);
    await switchRelease(scale, 2, WORKSPACE);
    await sleep(BOTH_MS);
    await switchRelease(scale, 2, previous.root);
    await load.served(3);
    await switchRelease(scale, 2, WORKSPACE);
    await sleep(BOTH_MS);
    await switchRelease(scale, 1, WORKSPACE);
    await load.served(3);
    const took = (performance.now() - began) / 1_000;
    const report = await load.stop();
    return [
      ...loadFigures(`during the upgrade from ${previous.commit.slice(0, 12)}`, report),
      { title: 'from the first migration to the last new replica', value: took, unit: 's' },
      shutdownFigure('upgrade', scale),
    ];
  } finally {
    await scale.stop();
  }
}

function loadFigures(when: string, { failures, requests, deferred, slowestMs }: LoadReport): Figure[] {
  for (const failure of failures) process.stderr.write(`    failed ${when}: ${failure}\n`);
  return [
    { title: `failed requests ${when}`, value: failures.length, unit: 'requests', at_most: 0 },
    { title: `requests that a busy service deferred ${when}`, value: deferred, unit: 'requests', at_most: 0 },
    { title: `requests ${when}`, value: requests, unit: 'requests', at_least: LEAST_REQUESTS },
    { title: `slowest request ${when}`, value: slowestMs, unit: 'ms' },
  ];
}

function shutdownFigure(when: string, scale: ScaleStack): Figure {
  const faults = scale.shutdownFaults();
  for (const fault of faults) process.stderr.write(`    ${fault}\n`);
  return { title: `shutdowns that cut requests off, ${when}`, value: faults.length, unit: 'shutdowns', at_most: 0 };
}
