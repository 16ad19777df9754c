import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES } from '@lyceum/contracts';
import { eventually } from '../eventually.js';
import { programOnPath } from '../../setup/servers.mjs';
import { startChild, type Child } from '../child.js';
import { startEdge, type Edge } from '../edge.js';
import { Upstreams } from '../upstreams.js';
import { freePort } from '../ports.js';
import { ROUTES } from '../routes.js';
import { WORKSPACE } from '../workspace.js';
import { caddyfile } from './caddyfile.js';

const committed = readFileSync(join(WORKSPACE, 'docker/edge/Caddyfile'), 'utf8');

it('writes the committed Caddyfile from the routes', () => {
  expect(committed).toBe(caddyfile());
});

const caddy = programOnPath('caddy');
const withCaddy = caddy === undefined ? describe.skip : describe;

interface Response {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends the target as it is written here. */
async function get(port: number, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const sent = request({ host: '127.0.0.1', port, path, headers, agent: false });
  sent.end();
  const [incoming] = await once(sent, 'response');
  let body = '';
  for await (const part of incoming.setEncoding('utf8')) body += part as string;
  return { status: incoming.statusCode, headers: incoming.headers, body };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

withCaddy('Caddy with the Caddyfile', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-caddy-'));
  const stubs = new Map<string, Server>();
  let child: Child;
  let port: number;
  let edge: Edge;

  beforeAll(async () => {
    for (const name of SERVICES) {
      const stub = createServer(
        ({ url, headers }, response) => void response.end(JSON.stringify({ name, url, headers })),
      );
      await once(stub.listen(0, '127.0.0.1'), 'listening');
      stubs.set(name, stub);
    }
    const addressOf = (name: string): string => `127.0.0.1:${(stubs.get(name)!.address() as AddressInfo).port}`;
    edge = await startEdge({
      port: 0,
      addresses: ['127.0.0.1'],
      upstreams: Object.fromEntries(
        SERVICES.map((name) => [name, Upstreams.at(`http://${addressOf(name)}`)]),
      ) as Record<(typeof SERVICES)[number], Upstreams>,
    });
    port = await freePort();
    mkdirSync(join(directory, 'mail'));
    writeFileSync(join(directory, 'mail/1.eml'), 'Subject: hello');
    const text = SERVICES.reduce(
      (so_far, name) => so_far.replaceAll(` ${name}\n`, ` ${addressOf(name)}\n`),
      committed.replace('{service}:8080', '{service}').replace('/srv/mail', join(directory, 'mail')),
    );
    writeFileSync(join(directory, 'Caddyfile'), text);
    child = startChild({
      name: 'caddy',
      command: [caddy!, 'run', '--adapter', 'caddyfile', '--config', join(directory, 'Caddyfile')],
      environment: { LYCEUM_PORT: String(port), HOME: directory },
      stopSignal: 'SIGTERM',
      logFile: join(directory, 'caddy.log'),
    });
    await eventually(() => {
      if (!child.running) throw new Error(child.tail());
      return accepts(port);
    });
  });
  afterAll(async () => {
    await child?.stop();
    await edge?.close();
    for (const stub of stubs.values()) {
      stub.closeAllConnections();
      stub.close();
    }
    rmSync(directory, { recursive: true });
  });

  it('routes each path as the local edge does, and changes no target', async () => {
    const variants = ROUTES.flatMap(({ path }) =>
      ['', '/', '/x', 'x', '?q=1', '/x?q=%2F;a&b', '/..', '/../mcp', '//y', '/%2e%2e/z', '%2Fx'].map(
        (suffix) => path + suffix,
      ),
    );
    const targets = [
      ...variants,
      ...variants.map((path) => path.toUpperCase()),
      '//mcp',
      '/./mcp',
      '/nothing/mcp',
      '/%6dcp',
      '/mcp%3Fq',
      '/api',
      '/api/v2',
      '/nothing?/mcp',
    ];
    const seen = async (at: number): Promise<unknown[]> => {
      const found = [];
      for (const target of targets) {
        const { name, url } = JSON.parse((await get(at, target)).body) as { name: string; url: string };
        found.push([target, name, url]);
      }
      return found;
    };
    const expected = await seen(edge.port);
    expect(new Set(expected.map((one) => (one as string[])[1])).size).toBe(SERVICES.length);
    expect(await seen(port)).toEqual(expected);
  });

  it('forwards the host and the address of the client, and no claim of the client', async () => {
    const claims = { 'x-forwarded-for': '10.9.8.7', 'x-forwarded-proto': 'https', forwarded: 'for=10.9.8.7' };
    const { body } = await get(port, '/mcp', {
      ...claims,
      host: 'school.example:8080',
      'x-forwarded-host': 'other.example',
      'x-real-ip': '10.9.8.7',
      'x-forwarded-port': '443',
    });
    const { headers } = JSON.parse(body) as { headers: Record<string, string> };
    expect(headers).toMatchObject({
      host: 'school.example:8080',
      'x-forwarded-host': 'school.example:8080',
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '127.0.0.1',
    });
    for (const name of ['forwarded', 'x-real-ip', 'x-forwarded-port']) expect(headers).not.toHaveProperty(name);
  });

  it('shows the mails to browsers of this machine alone', async () => {
    const host = `localhost:${port}`;
    const list = await get(port, '/-/mails/', { host });
    expect([list.status, list.body]).toEqual([200, expect.stringContaining('1.eml')]);
    const mail = await get(port, '/-/mails/1.eml', { host });
    expect([mail.body, mail.headers['content-type']]).toEqual(['Subject: hello', 'text/plain; charset=utf-8']);
    expect((await get(port, '/-/mails/none.eml', { host })).status).toBe(404);
    const other = await get(port, '/-/mails/', { host: `other.example:${port}` });
    expect(JSON.parse(other.body)).toMatchObject({ name: 'auth' });
  });

  it('responds with the problem of the platform while a service is down', async () => {
    const stub = stubs.get('member-api')!;
    stub.closeAllConnections();
    await new Promise((resolve) => stub.close(resolve));
    const { status, headers, body } = await get(port, '/member/graphql');
    expect([status, headers['content-type'], headers['retry-after']]).toEqual([503, 'application/problem+json', '1']);
    expect(JSON.parse(body)).toMatchObject({ code: 'temporarily_unavailable', request_id: headers['x-request-id'] });
    expect((await get(edge.port, '/member/graphql')).status).toBe(503);
  });
});
