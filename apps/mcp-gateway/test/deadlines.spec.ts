import { Nats } from '@lyceum/messaging';
import { eventually } from '@lyceum/testing';
import { Injectable } from '@nestjs/common';
import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { z } from 'zod';
import { LearnerTools } from './fixture.tools.js';
import { ERAS, Gateway, call } from './gateway.js';
import type { ReceivedResponse } from './gateway.js';

/** Ignores the signal, like a service whose event loop is blocked. */
@Injectable()
class HangingTools {
  static readonly signals: AbortSignal[] = [];

  @Tool({
    name: 'hang',
    title: 'Hang',
    description: 'Never answers.',
    audience: 'public',
    scopes: [],
    toolset: 'x',
    input: z.object({}),
    output: z.object({}),
    annotations: { readOnlyHint: true },
  })
  hang({ signal }: ToolCall<unknown>): Promise<object> {
    HangingTools.signals.push(signal);
    return new Promise(() => undefined);
  }

  @Tool({
    name: 'extend_enrollment',
    title: 'Extend',
    description: 'Never answers.',
    audience: 'operator',
    scopes: ['students:write'],
    input: z.object({ idempotency_key: z.string().optional() }),
    output: z.object({}),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  })
  extend(): Promise<object> {
    return new Promise(() => undefined);
  }
}

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start({
    capabilities: { 'admin-api': [HangingTools], 'member-api': [LearnerTools] },
    environment: { CALL_TIMEOUT_MS: '3000' },
  });
});

afterAll(() => gateway?.close());

it('returns a tool error at the deadline, in either era, and delays no other call', async () => {
  const hanging = Promise.all(ERAS.map((era) => call(gateway.url, era, 'hang')));
  await eventually(() => HangingTools.signals.length === ERAS.length);
  const other = await call(gateway.url, 'modern', 'my_courses', {}, { token: 'member' });
  expect(other.body.result?.structuredContent).toHaveProperty('items');
  expect(HangingTools.signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  for (const { status, body } of await hanging) {
    expect([status, body.result?.isError]).toEqual([200, true]);
    expect(JSON.parse(body.result?.content?.[0]?.text ?? '')).toMatchObject({
      error: { code: 'temporarily_unavailable', hint: expect.any(String) },
    });
  }
  await eventually(() => HangingTools.signals.every(({ aborted }) => aborted));
});

const extend = (input: Record<string, unknown>) =>
  call(gateway.url, 'modern', 'extend_enrollment', input, { token: 'operator' });

const hintOf = ({ body }: ReceivedResponse): unknown =>
  (JSON.parse(body.result?.content?.[0]?.text ?? '{}') as { error?: { hint?: unknown } }).error?.hint;

const TRY_AGAIN = 'Nothing is wrong with the call: try it again later.';

it('says after the deadline of a change that it may have been made, unless the call has a key', async () => {
  const [bare, keyed] = await Promise.all([extend({}), extend({ idempotency_key: 'k1' })]);
  expect(hintOf(bare)).toMatch(/^The change may have been made\. .*`idempotency_key`/);
  expect(hintOf(keyed)).toBe(TRY_AGAIN);
});

// Last: it ends the service.
it('says to repeat a change that was not delivered', async () => {
  await gateway.services[0]?.app.get(Nats).drain();
  expect(hintOf(await extend({}))).toBe(TRY_AGAIN);
});
