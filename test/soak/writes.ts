import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@lyceum/testing';
import { graphql, type JsonResponse, send, studentAt } from '../clients/http.ts';
import type { ScaleStack } from '../scale/scale-stack.ts';
import type { Kind } from '../scale/steady-load.ts';
import { personOf } from '../stack/system-stack.ts';

const SCOPE = 'openid courses:read courses:write students:read students:write school:read school:write';
/** Three writes each. A client may write 200 times in a minute. */
const CLIENTS = 2;
const PAUSE_MS = 3_000;
/** Longer than any fault. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 500;
const PAGE = 100;
const DELIVERY_MS = 180_000;

interface Listed {
  readonly data: readonly { readonly id: string; readonly state?: string; readonly course_id?: string }[];
  readonly page: { readonly next_cursor: string | null };
}

interface Courses {
  readonly viewer: {
    readonly enrolledCourses: {
      readonly nodes: readonly { readonly slug: string }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
}

/** Acknowledged writes that cannot be found, by the place of the search. */
export interface Lost {
  readonly acknowledged: number;
  readonly operator: readonly string[];
  readonly webhook: readonly string[];
  readonly member: readonly string[];
}

/** Writes of an operator, a record of all acknowledged ones, and a receiver of their webhooks. */
export class Writes {
  readonly #api: string;
  readonly #scale: ScaleStack;
  readonly #operator: string;
  readonly #student: string;
  /** Slugs by id. */
  readonly #created = new Map<string, string>();
  readonly #published = new Set<string>();
  readonly #enrolled = new Set<string>();
  readonly #delivered = new Set<string>();
  #receiver: Server | undefined;
  #count = 0;

  private constructor(scale: ScaleStack, operator: string, student: string) {
    this.#api = `${scale.site.base_url}/api/v1`;
    this.#scale = scale;
    this.#operator = operator;
    this.#student = student;
  }

  static async open(scale: ScaleStack): Promise<Writes> {
    const operator = (await scale.grant('owner', 'operator', SCOPE)).access_token;
    const student = await studentAt(scale.site, operator, personOf(scale.site, 'student'));
    const writes = new Writes(scale, operator, student);
    await writes.#receive();
    return writes;
  }

  /** A new course, its publication and an enrollment. */
  kind(): Kind {
    return { name: 'operator writes', clients: CLIENTS, pauseMs: PAUSE_MS, send: () => this.#writeOnce() };
  }

  /** Searches for every acknowledged write after the load. */
  async lost(): Promise<Lost> {
    const { site } = this.#scale;
    // The tokens of the load may have expired.
    const operator = (await this.#scale.grant('owner', 'operator', SCOPE)).access_token;
    const member = (await this.#scale.grant('student', 'member', 'openid account:read')).access_token;
    const courses = new Map((await this.#list(operator, '/courses')).map(({ id, state }) => [id, state]));
    const enrollments = await this.#list(operator, `/students/${this.#student}/enrollments`);
    const enrolled = new Set(enrollments.map(({ course_id }) => course_id));
    const missing = (ids: Iterable<string>, has: (id: string) => boolean): string[] =>
      [...ids].filter((id) => !has(id));
    const undelivered = (): string[] => missing(this.#created.keys(), (id) => this.#delivered.has(id));
    const hidden = async (): Promise<string[]> => {
      const slugs = await visibleSlugs(site.base_url, member);
      return missing(this.#enrolled, (id) => slugs.has(this.#created.get(id)!));
    };
    const none = (ids: readonly string[]): boolean => ids.length === 0;
    return {
      acknowledged: this.#created.size + this.#published.size + this.#enrolled.size,
      operator: [
        ...missing(this.#created.keys(), (id) => courses.has(id)),
        ...missing(this.#published, (id) => courses.get(id) === 'published'),
        ...missing(this.#enrolled, (id) => enrolled.has(id)),
      ],
      webhook: await eventually(undelivered, none, DELIVERY_MS).catch(undelivered),
      member: await eventually(hidden, none, DELIVERY_MS).catch(hidden),
    };
  }

  async close(): Promise<void> {
    this.#receiver?.closeAllConnections();
    await new Promise((resolve) => this.#receiver?.close(resolve) ?? resolve(undefined));
  }

  async #writeOnce(): Promise<void> {
    this.#count += 1;
    const slug = `soak-${this.#count}`;
    const { id } = await this.#write('/courses', 201, { name: `Soak ${this.#count}`, slug }, `${slug}-create`);
    this.#created.set(id, slug);
    await this.#write(`/courses/${id}/publish`, 200, {}, `${slug}-publish`);
    this.#published.add(id);
    await this.#write(`/students/${this.#student}/enrollments`, 201, { course_id: id }, `${slug}-enroll`);
    this.#enrolled.add(id);
  }

  /** Repeats a write with the same key while the service is unavailable or the result is unknown. */
  async #write(path: string, wanted: number, json: object, key: string): Promise<{ readonly id: string }> {
    const request = { method: 'POST', token: this.#operator, json, headers: { 'idempotency-key': key } };
    for (const until = performance.now() + PATIENCE_MS; ; await sleep(RETRY_MS)) {
      const response = await send<{ id: string }>(`${this.#api}${path}`, request).catch((error: Error) => error);
      if (!(response instanceof Error)) {
        if (response.status === wanted) return response.body;
        if (![429, 503].includes(response.status)) throw new Error(`${path}: ${described(response)}`);
      }
      if (performance.now() > until)
        throw new Error(`${path}: ${response instanceof Error ? response.message : described(response)}`);
    }
  }

  async #list(token: string, path: string): Promise<Listed['data'][number][]> {
    const all: Listed['data'][number][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const response: JsonResponse<Listed> = await send(`${this.#api}${path}?limit=${PAGE}${query}`, { token });
      if (response.status !== 200) throw new Error(`${path}: ${described(response)}`);
      all.push(...response.body.data);
      cursor = response.body.page.next_cursor;
    }
    return all;
  }

  async #receive(): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { object_id } = JSON.parse(Buffer.concat(chunks).toString()) as { object_id: string };
        this.#delivered.add(object_id);
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#receiver = server;
    const { port } = server.address() as AddressInfo;
    const endpoint = { url: `http://127.0.0.1:${port}/`, event_types: ['course.created'] };
    await this.#write('/webhook_endpoints', 201, endpoint, 'soak-endpoint');
  }
}

type EnrolledCourses = Courses['viewer']['enrolledCourses'];

async function visibleSlugs(base: string, token: string): Promise<Set<string>> {
  const slugs = new Set<string>();
  let after: string | null = null;
  do {
    const { nodes, pageInfo }: EnrolledCourses = await enrolledCourses(base, token, after);
    for (const { slug } of nodes) slugs.add(slug);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  return slugs;
}

async function enrolledCourses(base: string, token: string, after: string | null): Promise<EnrolledCourses> {
  const query = `query ($after: String) { viewer { enrolledCourses(first: ${PAGE}, after: $after) {
    nodes { slug } pageInfo { hasNextPage endCursor } } } }`;
  const { status, body } = await graphql<Courses>(base, token, query, { after });
  const found = body.data?.viewer.enrolledCourses;
  if (found === undefined) throw new Error(`viewer: ${status} ${JSON.stringify(body)}`);
  return found;
}

function described({ status, body }: JsonResponse<unknown>): string {
  return `${status} ${JSON.stringify(body)}`;
}
