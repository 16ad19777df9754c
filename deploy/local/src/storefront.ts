import { commandReplySchema, inboxPrefix, recordProgress } from '@lyceum/contracts';
import { connect, RequestError, TimeoutError, type NatsConnection } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppliedSite, DemoDefinition } from './demo.js';
import type { DemoProgress } from './demo-progress.js';
import type { NatsServer } from './nats.js';

const USER = 'storefront';
const PATIENCE_MS = 20_000;
const PAUSE_MS = 50;
const reply = commandReplySchema(recordProgress.output);

type Server = Pick<NatsServer, 'url' | 'userName' | 'userPassword'>;

/**
 * The storefronts of the demo schools: they send what their learners have done, with the NATS user that a storefront has.
 * Each command has a key of its own, so running this again changes nothing.
 */
export async function runStorefronts(
  server: Server,
  demo: DemoDefinition,
  applied: readonly Pick<AppliedSite, 'base_url' | 'org_id'>[],
): Promise<void> {
  const commands = demo.sites.flatMap(({ base_url, progress }) => {
    const site = applied.find((one) => one.base_url === base_url);
    if (site === undefined && progress.length > 0) throw new Error(`The site ${base_url} was not made`);
    return site === undefined ? [] : progress.map((watched) => commandOf(site.org_id, watched));
  });
  if (commands.length === 0) return;
  const connection = await connect({
    servers: server.url,
    user: server.userName(USER),
    pass: server.userPassword(USER),
    inboxPrefix: inboxPrefix(USER),
  });
  try {
    await Promise.all(commands.map((command) => send(connection, command)));
  } finally {
    await connection.close();
  }
}

function commandOf(site: string, { student, course, lecture, ...watched }: DemoProgress): object {
  return {
    idempotency_key: `demo-${student}-${lecture}-${watched.occurred_at}`,
    site,
    student: { external_id: student },
    course: { external_id: course },
    lecture: { external_id: lecture },
    ...watched,
  };
}

/** Repeats the command, with its key, while there is no final answer. */
async function send(connection: NatsConnection, command: object): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; ;) {
    const error = await attempt(connection, command);
    if (error === undefined) return;
    if (Date.now() > until) throw error;
    await sleep(PAUSE_MS);
  }
}

/** Undefined when it is done, an error when it may be tried again. Throws when it is refused. */
async function attempt(connection: NatsConnection, command: object): Promise<Error | undefined> {
  let response;
  try {
    response = await connection.request(recordProgress.subject, JSON.stringify(command), { timeout: PATIENCE_MS });
  } catch (error) {
    if (error instanceof TimeoutError || (error instanceof RequestError && error.isNoResponders())) return error;
    throw error;
  }
  const ended = reply.parse(response.json());
  if (ended.ok) return undefined;
  const { code, detail } = ended.error;
  const refused = new Error(`${recordProgress.name} was refused: ${code}, ${detail}`);
  if (code === 'temporarily_unavailable' || code === 'idempotency_in_progress') return refused;
  throw refused;
}
