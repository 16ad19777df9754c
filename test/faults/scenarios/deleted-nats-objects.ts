import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startServiceProcess, untilServiceReady } from '@lyceum/local';
import { bucketValues, eventually } from '@lyceum/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import pg from 'pg';
import type { FaultStack } from '../fault-stack.js';
import { type SharedFaultStack, TAKE_MS } from '../shared-stack.js';

/** A generous limit: recovery takes some seconds on an idle machine. */
const BACK_MS = 60_000;

export function deletedNatsObjects(shared: SharedFaultStack): void {
  describe('a stream, consumer or bucket that vanishes while all services are connected', () => {
    let fault: FaultStack;
    let admin: NatsConnection;
    let learner: pg.Client;
    let directory: string;

    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'lyceum-vanished-'));
      fault = await shared.take();
      admin = await fault.connectNats();
      learner = new pg.Client({ connectionString: fault.stack.databaseUrl('learner') });
      await learner.connect();
    }, TAKE_MS);

    afterAll(async () => {
      await admin?.close();
      await learner?.end();
      rmSync(directory, { recursive: true, force: true });
    });

    const api = async (verb: string): Promise<void> => {
      const reply = await admin.request(`$JS.API.${verb}`, '');
      expect(reply.json()).toMatchObject({ success: true });
    };

    const createCourse = async (): Promise<string> => {
      const slug = `vanished-${randomUUID()}`;
      const response = await fetch(`${fault.site.base_url}/api/v1/courses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${await fault.operatorToken()}` },
        body: JSON.stringify({ name: slug, slug }),
      });
      expect([response.status, response.ok]).toEqual([201, true]);
      return slug;
    };

    /** The event of the course has passed the outbox, the stream and the consumer. */
    const untilRead = (slug: string): Promise<number | null> =>
      eventually(
        async () => (await learner.query('SELECT 1 FROM courses WHERE slug = $1', [slug])).rowCount,
        (rows) => rows === 1,
        BACK_MS,
      );

    /** A new replica, with nothing in memory. */
    const startGateway = async (): Promise<{ url: string; stop: () => Promise<unknown> }> => {
      const [port, management] = [await freePort(), await freePort()];
      const environment = {
        ...fault.stack.environment('mcp-gateway'),
        PORT: String(port),
        MANAGEMENT_PORT: String(management),
      };
      const gateway = startServiceProcess('mcp-gateway', environment, join(directory, `${port}.log`));
      await untilServiceReady(gateway, `http://127.0.0.1:${management}`, BACK_MS);
      return { url: `http://127.0.0.1:${port}`, stop: () => gateway.stop() };
    };

    const publicTools = async (url: string): Promise<string[]> => {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'x-forwarded-host': new URL(fault.site.base_url).host,
          'x-forwarded-proto': 'http',
          'mcp-protocol-version': '2025-06-18',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      });
      const text = await response.text();
      const json = /\{.*\}/s.exec(text)?.[0] ?? '{}';
      const { result } = JSON.parse(json) as { result?: { tools: { name: string }[] } };
      return (result?.tools ?? []).map(({ name }) => name).sort();
    };

    it('delivers all events after the stream SCHOOL was deleted', async () => {
      expect(await untilRead(await createCourse())).toBe(1);
      await api('STREAM.DELETE.SCHOOL');
      const slugs = [await createCourse(), await createCourse()];
      for (const slug of slugs) expect(await untilRead(slug)).toBe(1);
      expect(await untilRead(await createCourse())).toBe(1);
    });

    it('delivers all events after the consumers of SCHOOL were deleted', async () => {
      const { consumers } = (await admin.request('$JS.API.CONSUMER.NAMES.SCHOOL', '')).json<{ consumers: string[] }>();
      expect(consumers).toContain('member-api-courses');
      for (const consumer of consumers) await api(`CONSUMER.DELETE.SCHOOL.${consumer}`);
      expect(await untilRead(await createCourse())).toBe(1);
    });

    it('refills the site directory after its bucket was deleted, so a new replica becomes ready', async () => {
      const before = [...(await bucketValues(admin, 'sites')).keys()].sort();
      expect(before.length).toBeGreaterThan(0);
      await api('STREAM.DELETE.KV_sites');
      const statuses: number[] = [];
      const after = await eventually(
        async () => {
          statuses.push((await fetch(`${fault.site.base_url}/openapi.json`)).status);
          return [...(await bucketValues(admin, 'sites').catch(() => new Map<string, unknown>())).keys()].sort();
        },
        (keys) => keys.length === before.length,
        BACK_MS,
      );
      expect(after).toEqual(before);
      // Running replicas keep the sites in memory.
      expect(new Set(statuses)).toEqual(new Set([200]));
      const gateway = await startGateway();
      await gateway.stop();
    });

    it('offers all tools again after the bucket of catalogs was deleted, also at a new replica', async () => {
      const running = fault.stack.services.find(({ name }) => name === 'mcp-gateway')!.internalUrl;
      const before = await publicTools(running);
      expect(before.length).toBeGreaterThan(3);
      await api('STREAM.DELETE.KV_tool-catalogs');
      const gateway = await startGateway();
      expect(
        await eventually(
          () => publicTools(gateway.url),
          (tools) => tools.length === before.length,
          BACK_MS,
        ),
      ).toEqual(before);
      expect(await publicTools(running)).toEqual(before);
      await gateway.stop();
    });

    it('leaves the stack as it was', () => expect(shared.giveBack()).resolves.toBeUndefined(), TAKE_MS);
  });
}
