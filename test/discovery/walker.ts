import { hash, randomInt } from 'node:crypto';
import pg from 'pg';
import { Actor, site, type Fields } from '../security/oauth/attack.js';
import { systemStack, type SystemSite } from '../stack/system-stack.js';

export const { auth: AUTH_ENVIRONMENT } = systemStack().environments;

/** A random address of the benchmarking network (RFC 2544), so that tests do not share limits. */
export const newSource = (): string => `198.${18 + randomInt(2)}.${randomInt(256)}.${1 + randomInt(254)}`;

export const walker = (at: SystemSite = site): Actor => new Actor(newSource(), at);

/** Runs SQL on the database of auth, to age rows and to read them. */
export async function sql<Row>(text: string, ...values: readonly unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: AUTH_ENVIRONMENT['DATABASE_URL'] });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows as Row[];
  } finally {
    await client.end();
  }
}

/**
 * Opens a window of a limit with spent units, before auth counts its first one. A replica grants a part of some limits
 * without asking the others. Leave that part and one more unit.
 */
export const spend = (limit: string, subject: string, spent: number): Promise<unknown> =>
  sql(
    // Another test may have had the same source.
    `INSERT INTO rate_windows (limit_key, started_at, spent) VALUES ($1, now(), $2)
     ON CONFLICT ON CONSTRAINT rate_windows_pkey DO UPDATE SET started_at = excluded.started_at, spent = excluded.spent`,
    sha256(`${limit}\n${subject}`),
    spent,
  );

export const sha256 = (value: string): Buffer => hash('sha256', value, 'buffer');

/** The seconds of every duration that a sentence of the guide names. */
export function durations(statement: string): number[] {
  const unit = { seconds: 1, minutes: 60, days: 86_400 } as const;
  return [...statement.matchAll(/(\d+) (seconds|minutes|days)/g)].map(
    ([, count, name]) => Number(count) * unit[name as keyof typeof unit],
  );
}

export const numbers = (statement: string): number[] =>
  [...statement.matchAll(/\d+/g)].map(([digits]) => Number(digits));

/** The error in the redirect of an authorization request; undefined when a person sees a page. */
export async function authorizationError(actor: Actor, overrides: Fields): Promise<string | undefined> {
  const { headers, status } = await actor.send(actor.authorization(overrides));
  if (status !== 303) throw new Error(`The authorization request returned ${status}`);
  const { hash: fragment, searchParams } = new URL(headers['location']!, actor.at.base_url);
  return searchParams.get('error') ?? new URLSearchParams(fragment.slice(1)).get('error') ?? undefined;
}

/**
 * Repeats work on a limit with windows of some seconds until it fits into one window: a limit does not apply across
 * two windows. `work` gets a new source each time.
 */
export async function withinOneWindow<T>(seconds: number, work: (source: string) => Promise<T>): Promise<T> {
  const window = async (): Promise<number> => {
    const [row] = await sql<{ n: number }>('SELECT floor(extract(epoch FROM now()) / $1::int)::int AS n', seconds);
    return row!.n;
  };
  for (;;) {
    const before = await window();
    const result = await work(newSource());
    if ((await window()) === before) return result;
  }
}
