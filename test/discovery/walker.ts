import { hash, randomInt } from 'node:crypto';
import pg from 'pg';
import { Actor, site, type Fields } from '../security/oauth/attack.js';
import { systemStack, type SystemSite } from '../stack/system-stack.js';

export const { auth: AUTH_ENVIRONMENT } = systemStack().environments;

/** An address of a network that is there for measuring (RFC 2544): limits that are reached from it are nobody else's. */
export const newSource = (): string => `198.${18 + randomInt(2)}.${randomInt(256)}.${1 + randomInt(254)}`;

export const walker = (at: SystemSite = site): Actor => new Actor(newSource(), at);

/** Runs SQL on auth's database: to make time pass, and to look. */
export async function sql<Row>(text: string, ...values: readonly unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: AUTH_ENVIRONMENT['DATABASE_URL'] });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows as Row[];
  } finally {
    await client.end();
  }
}

export const sha256 = (value: string): Buffer => hash('sha256', value, 'buffer');

/** The seconds of every duration that a sentence of the guide names. */
export function durations(said: string): number[] {
  const unit = { seconds: 1, minutes: 60, days: 86_400 } as const;
  return [...said.matchAll(/(\d+) (seconds|minutes|days)/g)].map(
    ([, count, name]) => Number(count) * unit[name as keyof typeof unit],
  );
}

export const numbers = (said: string): number[] => [...said.matchAll(/\d+/g)].map(([digits]) => Number(digits));

/** The error with which an authorization request is sent back; undefined when a person is asked. */
export async function authorizationError(actor: Actor, overrides: Fields): Promise<string | undefined> {
  const { headers, status } = await actor.send(actor.authorization(overrides));
  if (status !== 303) throw new Error(`The authorization request was answered with ${status}`);
  const { hash: fragment, searchParams } = new URL(headers['location']!, actor.at.base_url);
  return searchParams.get('error') ?? new URLSearchParams(fragment.slice(1)).get('error') ?? undefined;
}

/**
 * Does it with limits that are counted in windows of so many seconds, until it fits into one window: what lies in two
 * says nothing of the limit. `work` takes a new source each time.
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
