import {
  commandReplySchema,
  defineForm,
  inboxPrefix,
  makeBooking,
  makeRegistration,
  postComment,
  postReview,
  recordOrder,
  recordProgress,
  refundOrder,
  submitForm,
} from '@lyceum/contracts';
import { connect, RequestError, TimeoutError, type NatsConnection } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { AppliedSite, DemoDefinition } from './demo.js';
import type { DemoComment, DemoCommunity } from './demo-community.js';
import type { DemoConsulting } from './demo-consulting.js';
import type { DemoEvent } from './demo-events.js';
import { type DemoOrder, lineTotal } from './demo-orders.js';
import type { DemoProgress } from './demo-progress.js';
import type { DemoReview } from './demo-reviews.js';
import type { NatsServer } from './nats.js';

const USER = 'storefront';
const PATIENCE_MS = 20_000;
const PAUSE_MS = 50;
const reply = commandReplySchema(z.unknown());
const posted = postComment.output.pick({ comment_id: true });
const recorded = recordOrder.output.pick({ number: true, line_items: true });

/** A command, with the name and the subject of its contract. */
interface Command extends Pick<typeof recordProgress, 'name' | 'subject'> {
  readonly body: object;
}

type Server = Pick<NatsServer, 'url' | 'userName' | 'userPassword'>;

/**
 * The storefronts of the demo schools: they send what their learners have done, with the NATS user that a storefront
 * has. Each command has a key of its own, so running this again changes nothing.
 */
export async function runStorefronts(
  server: Server,
  demo: DemoDefinition,
  applied: readonly Pick<AppliedSite, 'base_url' | 'org_id'>[],
  prices: ReadonlyMap<string, ReadonlyMap<string, string>>,
): Promise<void> {
  const pricesOf = (base_url: string): ReadonlyMap<string, string> => prices.get(base_url) ?? new Map();
  const commands = demo.sites.flatMap(({ base_url, progress, reviews, consulting, events, orders }) => {
    const site = applied.find((one) => one.base_url === base_url);
    if (progress.length + reviews.length + consulting.length + events.length + orders.length === 0) return [];
    if (site === undefined) throw new Error(`The site ${base_url} was not made`);
    const { org_id } = site;
    return [
      ...progress.map((watched) => recordOf(org_id, watched)),
      ...reviews.map((review) => postOf(org_id, review)),
      ...consulting.map((one) => bookingOf(org_id, one)),
      ...events.flatMap((event) => registrationsOf(org_id, event)),
      ...orders.filter(({ renews }) => renews === undefined).map((order) => orderOf(org_id, order, pricesOf(base_url))),
    ];
  });
  if (commands.length === 0) return;
  const refunds = demo.sites.flatMap(({ base_url, orders }) => {
    const { org_id = '' } = applied.find((one) => one.base_url === base_url) ?? {};
    return orders.flatMap((order) => refundOf(org_id, order));
  });
  const connection = await connect({
    servers: server.url,
    user: server.userName(USER),
    pass: server.userPassword(USER),
    inboxPrefix: inboxPrefix(USER),
  });
  try {
    const results = await Promise.all(commands.map((command) => send(connection, command)));
    const sold = new Map(results.flatMap(subscriptionOf));
    const renewals = demo.sites.flatMap(({ base_url, orders }) => {
      const { org_id = '' } = applied.find((one) => one.base_url === base_url) ?? {};
      return orders.flatMap((order) => {
        const subscription_id = order.renews === undefined ? undefined : present(sold.get(order.renews), order.renews);
        return subscription_id === undefined ? [] : [orderOf(org_id, order, pricesOf(base_url), subscription_id)];
      });
    });
    // A renewal needs the subscription that another order sold.
    await Promise.all(renewals.map((command) => send(connection, command)));
    // A refund needs its order.
    await Promise.all(refunds.map((command) => send(connection, command)));
    for (const { base_url, community } of demo.sites) {
      const { org_id = '' } = applied.find((one) => one.base_url === base_url) ?? {};
      await talk(connection, org_id, community);
    }
  } finally {
    await connection.close();
  }
}

function recordOf(site: string, { student, course, lecture, ...watched }: DemoProgress): Command {
  const body = {
    idempotency_key: `demo-${student}-${lecture}-${watched.occurred_at}`,
    site,
    student: { external_id: student },
    course: { external_id: course },
    lecture: { external_id: lecture },
    ...watched,
  };
  return { ...recordProgress, body };
}

function postOf(site: string, { student, course, ...review }: DemoReview): Command {
  const body = {
    idempotency_key: `demo-review-${student}-${course}`,
    site,
    student: { external_id: student },
    course: { external_id: course },
    ...review,
  };
  return { ...postReview, body };
}

/** Posts comments before their replies, and defines forms before their submissions. */
async function talk(connection: NatsConnection, site: string, { threads, forms }: DemoCommunity): Promise<void> {
  for (const { commentable, replies, ...comment } of threads) {
    const made = posted.parse(await send(connection, commentOf(site, comment, { commentable })));
    for (const reply of replies) {
      await send(connection, commentOf(site, reply, { commentable, parent: { id: made.comment_id } }));
    }
  }
  for (const { submissions, ...form } of forms) {
    const { external_id } = form;
    const key = `demo-${external_id}`;
    await send(connection, { ...defineForm, body: { idempotency_key: key, site, ...form } });
    for (const { student, ...submission } of submissions) {
      const body = {
        idempotency_key: `${key}-${submission.occurred_at}`,
        site,
        form: { external_id },
        student: student === undefined ? null : { external_id: student },
        ...submission,
      };
      await send(connection, { ...submitForm, body });
    }
  }
}

function commentOf(site: string, { student, ...comment }: DemoComment, place: object): Command {
  const idempotency_key = `demo-comment-${student}-${comment.occurred_at}`;
  return { ...postComment, body: { idempotency_key, site, student: { external_id: student }, ...comment, ...place } };
}

function bookingOf(site: string, { slot, purchase }: DemoConsulting): Command {
  const body = {
    idempotency_key: `demo-${purchase.external_id}-${slot.external_id}`,
    site,
    student: { external_id: purchase.student },
    purchase: { external_id: purchase.external_id },
    slot: { external_id: slot.external_id },
  };
  return { ...makeBooking, body };
}

function orderOf(
  site: string,
  { student, line_items, refund: _refund, renews: _renews, ...order }: DemoOrder,
  prices: ReadonlyMap<string, string>,
  subscription_id: string | null = null,
): Command {
  const sum = (of: (line: (typeof line_items)[number]) => number): number =>
    line_items.reduce((total, line) => total + of(line), 0);
  const body = {
    idempotency_key: `demo-order-${order.number}`,
    site,
    student: { external_id: student },
    currency: 'TWD',
    line_items: line_items.map(({ item, ...line }) => ({
      ...line,
      item: line.item_type === 'membership_plan' ? { id: present(prices.get(item), item) } : { external_id: item },
    })),
    subscription_id,
    subtotal_minor: sum((line) => line.unit_amount_minor),
    discount_minor: sum((line) => line.discount_minor ?? 0),
    total_minor: sum(lineTotal),
    source: 'checkout',
    ...order,
  };
  return { ...recordOrder, body };
}

/** The number of an order and the id of the subscription that it sold. */
function subscriptionOf(result: unknown): readonly (readonly [string, string])[] {
  const { success, data } = recorded.safeParse(result);
  const id = data?.line_items.find(({ item_type }) => item_type === 'membership_plan')?.granted_id;
  return success && typeof id === 'string' ? [[data.number, id]] : [];
}

function present<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`The demo names "${name}", which does not exist`);
  return found;
}

function refundOf(site: string, { number, line_items, refund }: DemoOrder): Command[] {
  if (refund === undefined) return [];
  const amount_minor = line_items.reduce((total, line) => total + lineTotal(line), 0);
  const body = { idempotency_key: `demo-refund-${number}`, site, order: { number }, amount_minor, ...refund };
  return [{ ...refundOrder, body }];
}

function registrationsOf(site: string, { external_id, tickets: [ticket], students }: DemoEvent): Command[] {
  return students.map((student) => {
    const body = {
      idempotency_key: `demo-${external_id}-${student}`,
      site,
      student: { external_id: student },
      event: { external_id },
      ticket: ticket === undefined ? null : { external_id: ticket.external_id },
    };
    return { ...makeRegistration, body };
  });
}

/** Repeats the command, with its key, while there is no final answer. Returns its result. */
async function send(connection: NatsConnection, command: Command): Promise<unknown> {
  for (const until = Date.now() + PATIENCE_MS; ;) {
    const ended = await attempt(connection, command);
    if (ended.error === undefined) return ended.result;
    if (Date.now() > until) throw ended.error;
    await sleep(PAUSE_MS);
  }
}

/** A command that was done, or the error after which it may be tried again. */
interface Attempt {
  readonly result?: unknown;
  readonly error?: Error;
}

/** Throws when the command is refused. */
async function attempt(connection: NatsConnection, { name, subject, body }: Command): Promise<Attempt> {
  let response;
  try {
    response = await connection.request(subject, JSON.stringify(body), { timeout: PATIENCE_MS });
  } catch (error) {
    if (error instanceof TimeoutError || (error instanceof RequestError && error.isNoResponders())) return { error };
    throw error;
  }
  const ended = reply.parse(response.json());
  if (ended.ok) return { result: ended.result };
  const { code, detail } = ended.error;
  const refused = new Error(`${name} was refused: ${code}, ${detail}`);
  if (code === 'temporarily_unavailable' || code === 'idempotency_in_progress') return { error: refused };
  throw refused;
}
