import { Injectable } from '@nestjs/common';
import { Nats } from '@lyceum/messaging';
import type { RunningService } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import { Tool } from '@lyceum/tools';
import { z } from 'zod';
import { startTools } from './fixture.contexts.js';
import { Gateway, call, listed } from './gateway.js';
import type { ReceivedResponse } from './gateway.js';

const COMMON = { title: 'x', description: 'x', audience: 'public', scopes: [], toolset: 'x' } as const;
const READING = { readOnlyHint: true } as const;
const content = z.object({ by: z.string() });

/** Two releases of a service: one changed tool, one unchanged tool, and one tool each that the other lacks. */
@Injectable()
class First {
  @Tool({ ...COMMON, name: 'changed', input: z.object({}), output: content, annotations: READING })
  changed(): Promise<object> {
    return Promise.resolve({ by: 'first' });
  }

  @Tool({ ...COMMON, name: 'same', input: z.object({}), output: content, annotations: READING })
  same(): Promise<object> {
    return Promise.resolve({ by: 'first' });
  }

  @Tool({ ...COMMON, name: 'dropped', input: z.object({}), output: content, annotations: READING })
  dropped(): Promise<object> {
    return Promise.resolve({ by: 'first' });
  }
}

@Injectable()
class Second {
  @Tool({
    ...COMMON,
    name: 'changed',
    input: z.object({ more: z.string().default('x') }),
    output: content,
    annotations: READING,
  })
  changed(): Promise<object> {
    return Promise.resolve({ by: 'second' });
  }

  @Tool({ ...COMMON, name: 'same', input: z.object({}), output: content, annotations: READING })
  same(): Promise<object> {
    return Promise.resolve({ by: 'second' });
  }

  @Tool({ ...COMMON, name: 'added', input: z.object({}), output: content, annotations: READING })
  added(): Promise<object> {
    return Promise.resolve({ by: 'second' });
  }
}

/** Longer than any test: an entry that disappears sooner was removed. */
const LONG_LEASE_MS = 60_000;
/** A test notices a crash in time, and an owner on a busy machine renews its lease in time. */
const SHORT_LEASE_MS = 5_000;

let gateway: Gateway;
const running = new Set<RunningService>();

beforeAll(async () => {
  gateway = await Gateway.start({ capabilities: {} });
});

afterEach(async () => {
  await Promise.all([...running].map((service) => service.close()));
  running.clear();
});

afterAll(() => gateway?.close());

async function start(version: typeof First | typeof Second, leaseMs = LONG_LEASE_MS): Promise<RunningService> {
  const service = await startTools('admin-api', gateway.nats.environment('admin-api'), [version], leaseMs);
  running.add(service);
  return service;
}

async function stop(service: RunningService): Promise<void> {
  running.delete(service);
  await service.close();
}

const has = async (name: string): Promise<boolean> => (await listed(gateway.url)).tools.includes(name);

const byOf = ({ body }: ReceivedResponse): unknown => body.result?.structuredContent?.['by'];

const callByName = async (name: string): Promise<unknown> => byOf(await call(gateway.url, 'modern', name));

/** Calls continuously until it is stopped; returns the responders in order. */
function callAllTheTime(name: string): { stop: () => Promise<unknown[]> } {
  const responses: unknown[] = [];
  let stopped = false;
  const calling = (async () => {
    while (!stopped) {
      const response = await call(gateway.url, 'modern', name);
      responses.push(byOf(response) ?? JSON.stringify(response.body));
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await calling;
      return responses;
    },
  };
}

describe('a service with two running versions', () => {
  it('calls the newest version that has the tool', async () => {
    await start(First);
    await eventually(() => has('dropped'));
    await start(Second);
    await eventually(() => has('added'));
    expect(await callByName('changed')).toBe('second');
    expect(await callByName('dropped')).toBe('first');
    expect(await callByName('added')).toBe('second');
    const responses = await Promise.all(Array.from({ length: 40 }, () => callByName('same')));
    expect(new Set(responses)).toEqual(new Set(['first', 'second']));
  });

  it('moves between versions without a failing call, and back', async () => {
    const first = await start(First);
    await eventually(() => has('dropped'));
    const calls = ['changed', 'same'].map(callAllTheTime);
    const second = await start(Second);
    await eventually(() => has('added'));
    await stop(first);
    await eventually(async () => !(await has('dropped')));
    const again = await start(First);
    await eventually(() => has('dropped'));
    await stop(second);
    await eventually(async () => !(await has('added')));
    const responses = await Promise.all(calls.map((each) => each.stop()));
    for (const seen of responses) {
      expect(seen.length).toBeGreaterThan(5);
      expect(new Set(seen)).toEqual(new Set(['first', 'second']));
    }
    await stop(again);
  });

  it('uses the other version when the newer one crashed', async () => {
    await start(First);
    const second = await start(Second, SHORT_LEASE_MS);
    await eventually(async () => (await has('added')) && (await has('dropped')));
    expect(await callByName('changed')).toBe('second');
    await second.app.get(Nats).drain();
    expect(await callByName('changed')).toBe('first');
    await eventually(async () => !(await has('added')));
  });

  it('loses no call when one of two instances of the same version leaves', async () => {
    const [one] = await Promise.all([start(First), start(First)]);
    await eventually(() => has('dropped'));
    const calling = callAllTheTime('same');
    await stop(one);
    expect([...new Set(await calling.stop())]).toEqual(['first']);
    expect(await has('same')).toBe(true);
  });
});

describe('a service that leaves', () => {
  it('unlists a service that leaves, and its tools are unknown', async () => {
    const first = await start(First);
    await eventually(() => has('same'));
    await stop(first);
    await eventually(async () => !(await has('same')));
    expect((await call(gateway.url, 'modern', 'same')).body).toMatchObject({ error: { code: -32602 } });
  });

  it('detects a crashed service, at once by a call and soon by lists', async () => {
    const first = await start(First, SHORT_LEASE_MS);
    await eventually(() => has('same'));
    // Like a crash: the connection is closed, the lease remains.
    await first.app.get(Nats).drain();
    const { body } = await call(gateway.url, 'modern', 'same');
    expect(body.result === undefined || body.result.isError === true).toBe(true);
    await eventually(async () => !(await has('same')));
  });

  it('lists a service again when it returns', async () => {
    await stop(await start(First));
    await start(First);
    await eventually(() => has('same'));
    expect(await callByName('same')).toBe('first');
  });
});
