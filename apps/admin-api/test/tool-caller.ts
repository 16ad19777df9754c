import { randomUUID } from 'node:crypto';
import type { Principal } from '@lyceum/contracts';
import type { TestSite } from '@lyceum/testing';
import type { TestApi } from './admin-api.js';
import { newCourse } from './new-course.js';

export interface Items<Item = Record<string, unknown>> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}

/** The caller: anonymous without scopes; at the first site by default. */
interface Caller {
  readonly scopes?: readonly string[];
  readonly site?: TestSite;
  /** Default: a new person, because keys belong to a person. */
  readonly person_id?: string;
  /** Default: an owner. */
  readonly member?: Pick<Principal, 'member_id' | 'roles'>;
}

interface ToolCaller {
  /** The result; of a refusal, its error with `ok: false`. */
  call<Result = Record<string, unknown>>(name: string, args: object, caller?: Caller): Promise<Result>;
}

/** Calls tools as the gateway does. */
export function toolCaller(api: TestApi): ToolCaller {
  return {
    async call<Result>(name: string, args: object, { scopes, site = api.sites[0], person_id, member }: Caller = {}) {
      const principal = scopes === undefined ? null : { ...operator(scopes, site, person_id), ...member };
      const reply = await api.events.callTool(name, args, { site_id: site.site_id, principal });
      return (reply.ok ? reply.result : { ...reply.error, ok: false }) as Result;
    },
  };
}

export function operator(scopes: readonly string[], site: TestSite, person_id: string = randomUUID()): Principal {
  return {
    person_id,
    member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
    site_id: site.site_id,
    client_id: 'an-app',
    audience: 'operator',
    scopes: [...scopes],
    roles: ['owner'],
    grant_id: 'grant',
    token_fingerprint: '0123456789abcdef',
    expires_at: Math.floor(Date.now() / 1000) + 60,
  };
}

/** A published course, at the first site by default. */
export async function publishedCourse(
  api: TestApi,
  body: object = {},
  site: TestSite = api.sites[0],
): Promise<{ id: string; slug: string }> {
  const { id, slug } = await newCourse(api, body, site);
  const response = await api.send('POST', `/api/v1/courses/${id}/publish`, { site });
  expect(response.status).toBe(200);
  return { id, slug };
}
