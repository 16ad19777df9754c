import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES } from '@lyceum/contracts';
import { startStack } from '@lyceum/local';
import type { Stack } from '@lyceum/local';
import { PATIENT_SETTINGS, eventually, startOtlpReceiver } from '@lyceum/testing';
import type { OtlpReceiver, ReceivedSpan } from '@lyceum/testing';
import { send } from '../clients/http.js';
import { callTool, requestEach, tokensOf } from './requests.ts';
import type { Tokens } from './requests.ts';

const PARENT = 'b7ad6b7169203331';
const CLIENT = 3;

describe('a stack with a collector of traces', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-traces-'));
  let collector: OtlpReceiver;
  let stack: Stack;
  let tokens: Tokens;

  beforeAll(async () => {
    collector = await startOtlpReceiver();
    const settings = {
      ...PATIENT_SETTINGS,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: '1',
      LOG_LEVEL: 'debug',
    };
    stack = await startStack({
      directory,
      durable: false,
      filled: false,
      settings: Object.fromEntries(SERVICES.map((name) => [name, settings])),
    });
    tokens = await tokensOf(stack.sites[0]!);
  });

  afterAll(async () => {
    await stack?.stop();
    await collector?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Spans of the trace that a service began for a request, which is linked to the trace of the caller. */
  const spansOf = (trace: string): ReceivedSpan[] => {
    const root = collector.spans.find(({ links = [] }) => links.some(({ traceId }) => traceId === trace));
    return collector.spans.filter(({ traceId }) => traceId === root?.traceId);
  };

  /** The span and those above it, as far as they were received: `auth: GET /x`. */
  function pathTo(span: ReceivedSpan): string[] {
    const above = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
    const link = span.links?.[0]?.spanId;
    return [
      ...(above === undefined ? [`from ${link ?? span.parentSpanId}`] : pathTo(above)),
      `${String(span.service)}: ${span.name}`,
    ];
  }

  const traced = (trace: string) => ({ traceparent: `00-${trace}-${PARENT}-01` });
  const isStatement = ({ kind, attributes }: ReceivedSpan): boolean =>
    kind === CLIENT && attributes.some(({ key }) => key === 'db.query.summary');

  /** Waits until a statement of a service has the path. Spans arrive in batches, parents after their children. */
  async function untilStatement(trace: string, service: string, path: readonly (string | RegExp)[]): Promise<void> {
    const expected = [new RegExp(`^from ${PARENT}$`), ...path];
    const holds = (names: readonly string[]): boolean =>
      names.length === expected.length + 1 &&
      expected.every((part, index) => (typeof part === 'string' ? names[index] === part : part.test(names[index]!)));
    const paths = await eventually(
      async () =>
        spansOf(trace)
          .filter((span) => isStatement(span) && span.service === service)
          .map(pathTo),
      (found) => found.some(holds),
    );
    expect(paths.some(holds)).toBe(true);
  }

  it('passes the edge, the gateway and NATS, and ends in the statements of the service that owns the tool', async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const site = stack.sites[0]!;
    expect(await callTool(site, 'my_courses', { token: tokens.member, headers: traced(trace) })).toBe(200);
    const call = /^mcp-gateway: request tools\..*my_courses/;
    await untilStatement(trace, 'member-api', ['mcp-gateway: POST /mcp', call, /^member-api: answer tools\./]);
    await untilStatement(trace, 'auth', ['mcp-gateway: POST /mcp', /^auth: POST \/api\/oauth\/introspect/]);
  });

  it('passes the internal request of a tool for any operation', async () => {
    const trace = '1bf7651916cd43dd8448eb211c80319c';
    const site = stack.sites[0]!;
    const options = { token: tokens.operator, arguments: { operation_id: 'listCourses' }, headers: traced(trace) };
    expect(await callTool(site, 'read_operation', options)).toBe(200);
    await untilStatement(trace, 'admin-api', [
      'mcp-gateway: POST /mcp',
      /^mcp-gateway: request tools\./,
      /^admin-api: answer tools\./,
      'admin-api: GET /api/v1/courses',
    ]);
  });

  it('passes the outbox and the stream, and ends in the statements of the consumer', async () => {
    const trace = '2cf7651916cd43dd8448eb211c80319c';
    const json = { name: 'Traced', slug: 'traced' };
    const { status } = await send(`${stack.sites[0]!.base_url}/api/v1/courses`, {
      token: tokens.operator,
      headers: traced(trace),
      json,
    });
    expect(status).toBe(201);
    await untilStatement(trace, 'admin-api', ['admin-api: POST /api/v1/courses']);
    await untilStatement(trace, 'member-api', ['admin-api: POST /api/v1/courses', /^member-api: consume /]);
  });

  it('contains neither tokens nor values of statements', () => {
    const text = JSON.stringify(collector.spans);
    expect(collector.spans.length).toBeGreaterThan(10);
    for (const secret of [tokens.member, tokens.operator, '"Traced"']) expect(text).not.toContain(secret);
  });

  it('decides itself whether a request is recorded, and exports no span of a caller’s trace', async () => {
    const trace = '3df7651916cd43dd8448eb211c80319c';
    const headers = { traceparent: `00-${trace}-${PARENT}-00` };
    expect((await send(`${stack.sites[0]!.base_url}/api/v1/courses`, { token: tokens.operator, headers })).status).toBe(
      200,
    );
    await untilStatement(trace, 'admin-api', ['admin-api: GET /api/v1/courses']);
    expect(collector.spans.filter(({ traceId }) => traceId === trace)).toEqual([]);
  });

  interface Line {
    readonly level: string;
    readonly time: string;
    readonly service: string;
    readonly message: string;
    readonly request_id?: string;
  }
  const logOf = (name: string): string =>
    readFileSync(stack.services.find((one) => one.name === name)!.logFile, 'utf8');
  const linesOf = (name: string): Line[] =>
    logOf(name)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);

  it('logs a request as one line with its request id, and the trace id of the caller', async () => {
    const trace = '5ff7651916cd43dd8448eb211c80319c';
    const headers = { ...traced(trace), 'x-request-id': 'observed-1' };
    await send(`${stack.sites[0]!.base_url}/api/v1/courses?code=hunter2`, { token: tokens.operator, headers });
    await requestEach(stack.sites[0]!, tokens);
    const ofRequest = () => linesOf('admin-api').filter(({ request_id }) => request_id === 'observed-1');
    const lines = await eventually(
      async () => ofRequest(),
      ({ length }) => length > 0,
    );
    expect(lines).toEqual([
      expect.objectContaining({ message: 'request', method: 'GET', route: '/api/v1/courses', caller_trace_id: trace }),
    ]);
  });

  it.each(SERVICES)('writes JSON lines without secrets: %s', (name) => {
    const lines = linesOf(name);
    expect(lines.filter(({ message }) => message === 'request').length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).toMatchObject({ level: expect.any(String), time: expect.any(String), service: name });
    }
    const { people, clients } = stack.sites[0]!;
    const secrets = [
      ...Object.values(tokens),
      ...people.map(({ password }) => password),
      ...clients.map(({ client_secret }) => client_secret),
      'hunter2',
    ];
    const written = logOf(name);
    expect(secrets.filter((secret) => secret !== undefined && written.includes(secret))).toEqual([]);
  });
});
