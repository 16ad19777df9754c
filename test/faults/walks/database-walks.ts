import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE } from '@lyceum/local';
import { eventually } from '@lyceum/testing';
import pg from 'pg';
import { graphql } from '../../clients/http.ts';
import type { FaultStack } from '../fault-stack.ts';
import type { Walk } from './walk.ts';

const REQUESTS_OF_A_BURST = 40;
/** Waits end within the patience of a test. */
const IMPATIENT = { DATABASE_WAIT_MS: '1000', DATABASE_STATEMENT_MS: '3000' };

const RUNBOOK = join(WORKSPACE, 'docs/runbooks/database-pool-busy.md');

/** The statement of the runbook that finds the session on which all others wait. */
function holdersStatement(): string {
  const [, statement] = /`(select distinct holder [^`]+)`/.exec(readFileSync(RUNBOOK, 'utf8')) ?? [];
  if (statement === undefined) throw new Error(`${RUNBOOK} has no statement that finds the holder of a lock`);
  return statement;
}

/** Both alerts of an objective. */
export function budgetBurns(objective: string): readonly string[] {
  return ['Fast', 'Slowly'].map((speed) => `ErrorBudgetBurns${speed}{slo="${objective}"}`);
}

/** A transaction holds a table. The runbook finds it and ends it. */
export function databaseLocked(fault: FaultStack, listCourses: () => Promise<unknown>): Walk {
  const connectionString = fault.stack.databaseUrl('school');
  const burst = () => Promise.all(Array.from({ length: REQUESTS_OF_A_BURST }, listCourses));
  let holder: pg.Client;
  return {
    alerts: ['DatabasePoolBusy', ...budgetBurns('latency')],
    fault: async () => {
      fault.set('admin-api', IMPATIENT);
      await fault.stack.restart('admin-api');
      holder = new pg.Client({ connectionString });
      holder.on('error', () => undefined);
      await holder.connect();
      await holder.query('begin; lock table courses in access exclusive mode');
    },
    load: burst,
    mend: async () => {
      const waiting = burst();
      await query(connectionString, async (client) => {
        const holders = async () => (await client.query<{ holder: number }>(holdersStatement())).rows;
        const [found] = await eventually(holders, ({ length }) => length === 1);
        await client.query('select pg_terminate_backend($1)', [found!.holder]);
      });
      await waiting;
      await fault.reset();
    },
  };
}

/** The database of member-api refuses connections, as during a failover. Its erasures try again every ten seconds. */
export function databaseClosed(fault: FaultStack, member: string): Walk {
  const { stack, site } = fault;
  const admin = stack.postgres!.adminUrl;
  return {
    alerts: [...budgetBurns('queries'), 'PeriodicWorkOverdue{work="EventEraser"}'],
    fault: () =>
      query(admin, async (client) => {
        await client.query('alter database learner allow_connections false');
        await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'learner'`);
      }),
    load: () => graphql(site.base_url, member, '{ viewer { id } }'),
    mend: () => query(admin, (client) => client.query('alter database learner allow_connections true')),
  };
}

async function query<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
