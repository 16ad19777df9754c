import { Agent, get as httpGet } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import timers, { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, Inject, Injectable, Module, Res } from '@nestjs/common';
import type { BeforeApplicationShutdown, INestApplicationContext, OnApplicationShutdown } from '@nestjs/common';
import { eventually } from '@lyceum/testing';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { Lifecycle, readConfiguration, runInContext, serviceEnvironment } from '../src/index.js';
import { startUnderTest } from './service-under-test.js';

const events: string[] = [];
beforeEach(() => void (events.length = 0));

@Injectable()
class Resource implements BeforeApplicationShutdown, OnApplicationShutdown {
  beforeApplicationShutdown(): void {
    events.push('consumers stop');
  }

  onApplicationShutdown(): void {
    events.push('pool ends');
  }
}

@Controller()
class WorkController {
  @Get('quick')
  quick(): object {
    return {};
  }

  @Get('slow')
  async slow(): Promise<object> {
    events.push('slow begins');
    // Longer than a shutdown that does not wait for it.
    await sleep(200);
    events.push('slow ends');
    return { slow: true };
  }

  @Get('endless')
  async endless(): Promise<never> {
    events.push('endless begins');
    return new Promise<never>(() => undefined);
  }
}

@Controller()
class StreamController {
  readonly #lifecycle: Lifecycle;

  constructor(@Inject(Lifecycle) lifecycle: Lifecycle) {
    this.#lifecycle = lifecycle;
  }

  @Get('stream')
  stream(@Res() reply: FastifyReply): void {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.raw.write('data: hello\n\n');
    this.#lifecycle.stopping.addEventListener('abort', () => {
      // After the listener has closed.
      setTimeout(() => reply.raw.end('data: bye\n\n'), 100);
    });
  }
}

@Module({ providers: [Resource] })
class ResourceModule {}

const start = (env: Record<string, string> = {}) =>
  startUnderTest({ env, controllers: [WorkController, StreamController], imports: [ResourceModule] });

const DELAY = 5_000;

/** The delay of a shutdown lasts until the returned function ends it. */
function holdDelay(): () => void {
  const delay = Promise.withResolvers<void>();
  const original = timers.setTimeout;
  const spy = jest.spyOn(timers, 'setTimeout').mockImplementation(async (milliseconds, value, options) => {
    if (milliseconds === DELAY) await delay.promise;
    else await original(milliseconds, undefined, options);
    return value;
  });
  syncBuiltinESMExports();
  return () => {
    expect(spy.mock.calls.filter(([milliseconds]) => milliseconds === DELAY)).toHaveLength(1);
    delay.resolve();
  };
}
afterEach(() => {
  jest.restoreAllMocks();
  syncBuiltinESMExports();
});

const until = (event: string) => eventually(() => events.includes(event));

function getKeptAlive(
  agent: Agent,
  url: string,
): Promise<{ status: number | undefined; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    httpGet(url, { agent }, (response) => {
      response
        .resume()
        .on('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }));
    }).on('error', reject);
  });
}

describe('closing a service', () => {
  it('finishes open requests before the hooks stop their dependencies', async () => {
    const service = await start();
    const slow = fetch(`${service.url}/slow`);
    await until('slow begins');
    await service.close();
    expect((await slow).status).toBe(200);
    expect(events).toEqual(['slow begins', 'slow ends', 'consumers stop', 'pool ends']);
  });

  it('reports not ready, but serves and closes keep-alive connections, during the delay', async () => {
    const service = await start({ SHUTDOWN_DELAY_MS: `${DELAY}` });
    const endDelay = holdDelay();
    const agent = new Agent({ keepAlive: true });
    expect((await getKeptAlive(agent, `${service.url}/quick`)).connection).toBe('keep-alive');
    const closing = service.close();
    const ready = await fetch(`${service.managementUrl}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({ ready: false, checks: { draining: 'not_ready' } });
    expect((await fetch(`${service.managementUrl}/livez`)).status).toBe(200);
    expect(await getKeptAlive(agent, `${service.url}/quick`)).toEqual({ status: 200, connection: 'close' });
    endDelay();
    await closing;
    await expect(fetch(`${service.url}/quick`)).rejects.toThrow('fetch failed');
    await expect(fetch(`${service.managementUrl}/livez`)).rejects.toThrow('fetch failed');
    agent.destroy();
  });

  it('fails no request of clients that leave once it is not ready', async () => {
    const service = await start({ SHUTDOWN_DELAY_MS: `${DELAY}` });
    const endDelay = holdDelay();
    const agent = new Agent({ keepAlive: true });
    const statuses: (number | undefined)[] = [];
    let leaving = false;
    const clients = Array.from({ length: 16 }, async () => {
      while (!leaving) statuses.push((await getKeptAlive(agent, `${service.url}/quick`)).status);
    });
    await eventually(() => statuses.length >= 16);
    const closing = service.close();
    await eventually(async () => (await fetch(`${service.managementUrl}/readyz`)).status === 503);
    const before = statuses.length;
    await eventually(() => statuses.length >= before + 16);
    leaving = true;
    await Promise.all(clients);
    endDelay();
    await closing;
    expect(new Set(statuses)).toEqual(new Set([200]));
    agent.destroy();
  });

  it('does not wait for idle keep-alive connections', async () => {
    const service = await start();
    const agent = new Agent({ keepAlive: true });
    await getKeptAlive(agent, `${service.url}/quick`);
    const slow = getKeptAlive(agent, `${service.url}/slow`);
    await until('slow begins');
    await service.close();
    expect(await slow).toEqual({ status: 200, connection: 'close' });
    agent.destroy();
  });

  it('signals streams first', async () => {
    const service = await start();
    const stream = await fetch(`${service.url}/stream`);
    await service.close();
    expect(await stream.text()).toBe('data: hello\n\ndata: bye\n\n');
    // The response promised keep-alive, yet the shutdown did not wait for the client.
    expect(stream.headers.get('connection')).toBe('keep-alive');
    expect(JSON.stringify(service.lines)).not.toContain('cut off');
  });

  it('closes requests at the time limit, and still runs the hooks', async () => {
    const service = await start({ SHUTDOWN_TIMEOUT_MS: '200' });
    const endless = fetch(`${service.url}/endless`).then(
      () => 'answered',
      () => 'cut off',
    );
    await until('endless begins');
    await service.close();
    expect(await endless).toBe('cut off');
    expect(JSON.stringify(service.lines)).toContain('open requests were cut off');
    expect(events).toEqual(['endless begins', 'consumers stop', 'pool ends']);
  });

  it('runs once for repeated calls', async () => {
    const service = await start();
    await Promise.all([service.close(), service.close()]);
    await service.close();
    expect(events).toEqual(['consumers stop', 'pool ends']);
  });
});

describe('the context of a command', () => {
  it('provides the providers without a listener, and stops them when the work ends or fails', async () => {
    const definition = { name: 'under-test', module: () => ({ module: ResourceModule }) };
    const config = readConfiguration(z.object(serviceEnvironment), { LOG_LEVEL: 'silent' });
    const work = async (context: INestApplicationContext): Promise<boolean> =>
      context.get(Resource) instanceof Resource;
    expect(await runInContext(definition, config, work)).toBe(true);
    expect(events).toEqual(['consumers stop', 'pool ends']);
    await expect(runInContext(definition, config, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(events).toHaveLength(4);
  });
});

describe('a start that fails', () => {
  it('leaves no listener behind', async () => {
    const first = await start();
    const port = new URL(first.url).port;
    await expect(start({ PORT: port })).rejects.toThrow('EADDRINUSE');
    const management = new URL(first.managementUrl).port;
    await expect(start({ MANAGEMENT_PORT: management })).rejects.toThrow('EADDRINUSE');
    await first.close();
    const second = await start({ PORT: port, MANAGEMENT_PORT: management });
    await second.close();
  });
});
