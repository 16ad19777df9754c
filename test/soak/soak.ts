import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES, type ServiceName } from '@lyceum/contracts';
import type { Figure } from '../long/proof.ts';
import { steadyKinds } from '../scale/kinds.ts';
import { MEMBER_SCOPE, ScaleStack } from '../scale/scale-stack.ts';
import { type Kind, type LoadReport, SteadyLoad } from '../scale/steady-load.ts';
import { CodeWatch, type SeenCode, type SeenFailure, unexplained, wrongCodes } from './codes.ts';
import { Faults, randomOf, sparedReplicas } from './faults.ts';
import { heapAfterCollection, INSPECTED } from './heap.ts';
import { outliveRetention, type Retained } from './retention.ts';
import { type Lost, Writes } from './writes.ts';

export interface SoakOptions {
  readonly directory: string;
  /** Time under faults. */
  readonly seconds: number;
  /** The same seed brings the same faults in the same order. */
  readonly seed: number;
  readonly say?: (text: string) => void;
}

/** Services compile and fill their caches first: memory is compared with that after this share of the time. */
const WARM_SHARE = 0.25;
const MOST_GROWTH = 1.15;
/** Time without faults at the end, longer than the consequences of a fault. */
const CALM_MS = 15_000;
const REFRESH_MS = 3_000;
const SHOWN = 10;
/** Kinds of the steady load that this one replaces: after a lost response, a refresh token is used up. */
const REPLACED = ['refresh', 'create course'];

const INSPECTED_SERVICES = Object.fromEntries(SERVICES.map((name) => [name, INSPECTED])) as Record<
  ServiceName,
  typeof INSPECTED
>;

/** Load on all surfaces of two replicas of each service, while parts of the platform fail at random. */
export async function soak({ directory, seconds, seed, say = () => undefined }: SoakOptions): Promise<Figure[]> {
  const random = randomOf(seed);
  say('start two replicas of each service');
  const scale = await ScaleStack.start(join(directory, 'stack'), undefined, INSPECTED_SERVICES);
  const writes = await Writes.open(scale);
  try {
    const kinds = (await steadyKinds(scale)).filter(({ name }) => !REPLACED.includes(name));
    const spared = sparedReplicas(scale, random);
    const pids = spared.map(({ pid }) => pid);
    const watch = new CodeWatch(scale.site.base_url);
    const load = new SteadyLoad([...kinds, writes.kind(), refreshes(scale), refreshes(scale)]);
    await load.served(1);
    say(`${seconds} s under faults, seed ${seed}`);
    const faults = new Faults(scale, spared, random);
    await sleep(seconds * 1_000 * WARM_SHARE);
    const warm = await heaps(spared);
    await sleep(seconds * 1_000 * (1 - WARM_SHARE));
    await faults.stop();
    say('a calm end');
    await sleep(CALM_MS);
    await load.served(2);
    const report = await load.stop();
    watch.stop();
    const { windows } = faults;
    for (const { fault, from, to } of windows) say(`  ${new Date(from).toISOString()} ${fault}, ${to - from} ms`);
    if (spared.some(({ pid }, index) => pid !== pids[index])) throw new Error('A replica ended that no fault ended');
    const end = await heaps(spared);
    say('search for all acknowledged writes');
    const lost = await writes.lost();
    say('outlive the retention');
    const retained = await outliveRetention(scale);
    const codes = wrongCodes(watch.seen, windows);
    const failures = unexplained(seenFailures(report), windows);
    tell(say, { codes, failures, lost, retained });
    return [
      { title: `faults of seed ${seed}`, value: windows.length, unit: 'faults', at_least: Math.max(1, seconds / 60) },
      ...codeFigures(watch.seen, codes, report, failures),
      ...lossFigures(lost),
      ...SERVICES.map((name, index) => ({
        title: `heap of ${name} after a collection, end ÷ after ${WARM_SHARE * 100} % of the time`,
        value: end[index]! / warm[index]!,
        unit: '×',
        at_most: MOST_GROWTH,
      })),
      ...retentionFigures(retained),
    ];
  } finally {
    await writes.close();
    await scale.stop();
  }
}

function codeFigures(
  seen: readonly SeenCode[],
  codes: readonly SeenCode[],
  { requests, slowestMs }: LoadReport,
  failures: readonly SeenFailure[],
): Figure[] {
  const deferred = seen.filter(({ status }) => status >= 400).length - codes.length;
  return [
    { title: 'responses to clients', value: seen.length, unit: '', at_least: 1_000 },
    { title: 'actions of clients, such as a sign-in', value: requests, unit: '' },
    { title: 'wrong codes', value: codes.length, unit: '', at_most: 0 },
    { title: 'failures of clients that no fault explains', value: failures.length, unit: '', at_most: 0 },
    { title: 'responses 503 and 429 with Retry-After during a fault', value: deferred, unit: '' },
    { title: 'slowest action', value: slowestMs / 1_000, unit: 's' },
  ];
}

function lossFigures({ acknowledged, operator, webhook, member }: Lost): Figure[] {
  return [
    { title: 'acknowledged writes of operators', value: acknowledged, unit: '', at_least: 10 },
    { title: 'of these not found in the operator API', value: operator.length, unit: '', at_most: 0 },
    { title: 'new courses without a webhook', value: webhook.length, unit: '', at_most: 0 },
    { title: 'enrollments not shown to the member', value: member.length, unit: '', at_most: 0 },
  ];
}

function retentionFigures({ aged, tables, left, unpublished }: Retained): Figure[] {
  const stayed = Object.values(left).reduce((sum, rows) => sum + rows, 0);
  return [
    { title: 'events left in an outbox', value: unpublished, unit: '', at_most: 0 },
    { title: `rows of ${tables} short-lived tables at the end`, value: aged, unit: 'rows', at_least: 1 },
    { title: 'of these left when their retention is over', value: stayed, unit: 'rows', at_most: 0 },
  ];
}

function tell(
  say: (text: string) => void,
  found: { codes: readonly SeenCode[]; failures: readonly SeenFailure[]; lost: Lost; retained: Retained },
): void {
  const { codes, failures, lost, retained } = found;
  for (const { at, request, status, retryAfter } of codes.slice(0, SHOWN))
    say(`  ${new Date(at).toISOString()} ${request}: ${status}${retryAfter ? ', Retry-After' : ''}`);
  for (const { at, reason } of failures.slice(0, SHOWN)) say(`  ${new Date(at).toISOString()} ${reason}`);
  for (const place of ['operator', 'webhook', 'member'] as const)
    if (lost[place].length > 0) say(`  lost at ${place}: ${lost[place].slice(0, SHOWN).join(', ')}`);
  for (const [table, rows] of Object.entries(retained.left)) say(`  ${rows} rows left in ${table}`);
}

/** Each failure of the steady load begins with its time. */
function seenFailures({ failures }: LoadReport): SeenFailure[] {
  return failures.map((text) => {
    const [at = '', ...reason] = text.split(' ');
    return { at: Date.parse(at), reason: reason.join(' ') };
  });
}

async function heaps(services: readonly { readonly logFile: string }[]): Promise<number[]> {
  const bytes: number[] = [];
  for (const one of services) bytes.push(await heapAfterCollection(one));
  return bytes;
}

/** Rotates a refresh token. After a failure the client signs in again: it cannot know whether the token is used. */
function refreshes(scale: ScaleStack): Kind {
  let token: string | undefined;
  return {
    name: 'refresh',
    clients: 1,
    pauseMs: REFRESH_MS,
    send: async () => {
      const used = token ?? (await scale.grant('student', 'member', MEMBER_SCOPE)).refresh_token ?? '';
      token = undefined;
      const { status, body } = await scale.refresh(used);
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      token = body.refresh_token;
    },
  };
}
