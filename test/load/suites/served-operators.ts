import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@lyceum/local';
import { benchSite } from '../bench-stack.ts';
import { fillCourses } from '../data/courses.ts';
import { fillOperators, type Operator } from '../data/operators.ts';
import { exchange } from '../exchange.ts';
import { readCourses } from './course-requests.ts';

export interface ServedSites {
  readonly sites: number;
  /** Owners of each site. */
  readonly owners: number;
  /** The number of courses at site n. */
  readonly courses: (n: number) => number;
}

/** Owners of new sites with courses, which the operator API serves. */
export async function servedOperators(stack: Stack, { sites, owners, courses }: ServedSites): Promise<Operator[]> {
  const operators = await fillOperators(stack.databaseUrl('auth'), { site: benchSite(stack), sites, owners });
  // A starting auth publishes all sites.
  await stack.restart('auth');
  const siteIds = [...new Set(operators.map(({ site_id }) => site_id))];
  for (const [count, ids] of Map.groupBy(siteIds, (_id, n) => courses(n)))
    if (count > 0) await fillCourses(stack.databaseUrl('school'), ids, count);
  await untilServed(stack, operators);
  return operators;
}

/** The operator API receives the sites through NATS. */
export async function untilServed({ services }: Stack, operators: readonly Operator[]): Promise<void> {
  const { internalUrl } = services.find(({ name }) => name === 'admin-api')!;
  const ofEachSite = new Map(operators.map((operator) => [operator.host, operator]));
  const until = Date.now() + 60_000;
  for (const operator of ofEachSite.values()) {
    while ((await exchange(internalUrl, readCourses(operator, '?limit=1'))).status !== 200) {
      if (Date.now() > until) throw new Error(`${operator.host} was not served within a minute`);
      await sleep(50);
    }
  }
}
