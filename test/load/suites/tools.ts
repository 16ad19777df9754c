import { scaled } from '../arguments.ts';
import type { ListedTool, McpStockConfiguration } from '../baselines/mcp-stock.ts';
import { benchSite } from '../bench-stack.ts';
import { exchange } from '../exchange.ts';
import { fromSource } from '../sources.ts';
import type { Bench, Contender, LoadRequest, Suite } from '../suite.ts';
import { delaysAtHalfLoad } from './half-load.ts';
import { memoryOfStreams } from './idle-streams.ts';
import { operatorOf } from './operator.ts';

/** Sources of anonymous callers: enough that none reaches the limit. */
const SOURCES = 4_000;
const LEAST_SOURCES = 200;
const REVISION = '2026-07-28';
const TOOL = 'browse_catalog';
const CALL = { name: TOOL, arguments: { first: 20 } };
/** Published courses, of which a response has one page. */
const COURSES = 30;
const CALIBRATION_MS = 2_000;
const MEASURED_MS = 5_000;
const STREAMS = 1_000;
/** The pause for the garbage of the opening to be collected. */
const SETTLING_MS = 3_000;

interface Result {
  readonly tools?: readonly ListedTool[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

export const tools: Suite = async (bench) => {
  const { stack, arguments: wanted, step, startBaseline } = bench;
  const streams = scaled(wanted, STREAMS);
  await step(`publish ${COURSES} courses`, () => publishCourses(bench));
  const service = stack.services.find(({ name }) => name === 'mcp-gateway')!;
  const { host } = new URL(benchSite(stack).base_url);
  const from = (source: number, method: string, params: object = {}): LoadRequest =>
    message(host, source, method, params);
  const listing = await send(service.internalUrl, from(1, 'tools/list'));
  const called = await send(service.internalUrl, from(2, 'tools/call', CALL));
  if (listing.tools === undefined || called.structuredContent === undefined)
    throw new Error('The gateway has no tools');
  const content = [{ type: 'text' as const, text: JSON.stringify(called.structuredContent) }];
  const stock = await startBaseline('mcp-stock', {
    tools: listing.tools,
    results: { [TOOL]: { content, structuredContent: called.structuredContent } },
  } satisfies McpStockConfiguration);
  const every = (method: string, params?: object): LoadRequest[] =>
    Array.from({ length: scaled(wanted, SOURCES, LEAST_SOURCES) }, (_, source) => from(source, method, params));
  const sides = (requests: readonly LoadRequest[], facts: Contender['facts']) => ({
    ours: { name: 'mcp-gateway', origin: service.internalUrl, requests, facts, pid: () => service.pid! },
    baseline: { name: 'McpServer from memory', origin: stock.origin, requests, facts, pid: () => stock.pid },
  });
  const calls = every('tools/call', CALL);
  return [
    {
      suite: 'tools',
      title: 'tools/call ÷ stock SDK server',
      goal: 0.8,
      ...sides(calls, (body) => resultOf(body).structuredContent),
    },
    {
      suite: 'tools',
      title: 'tools/list ÷ stock SDK server',
      goal: 3,
      isExtra: true,
      ...sides(every('tools/list'), (body) =>
        resultOf(body)
          .tools?.map(({ name }) => name)
          .toSorted(),
      ),
    },
    {
      suite: 'tools',
      title: 'tools/call at half load',
      goal: 50,
      samples: () =>
        delaysAtHalfLoad(service.internalUrl, calls, {
          calibrationMs: scaled(wanted, CALIBRATION_MS),
          measuredMs: scaled(wanted, MEASURED_MS),
        }),
    },
    {
      suite: 'tools',
      title: `of ${streams.toLocaleString('en')} idle subscriptions/listen`,
      unit: 'MB',
      goal: 100,
      measure: () =>
        memoryOfStreams({
          origin: service.internalUrl,
          pid: service.pid!,
          requests: every('subscriptions/listen', { notifications: { toolsListChanged: true } }).slice(0, streams),
          settlingMs: scaled(wanted, SETTLING_MS),
        }),
    },
  ];
};

/** A call of a public tool by one of the anonymous callers. */
export function callOf(host: string, n: number): LoadRequest {
  return message(host, n % SOURCES, 'tools/call', CALL);
}

function message(host: string, source: number, method: string, params: object): LoadRequest {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const named: Record<string, string> = 'name' in params ? { 'mcp-name': String(params.name) } : {};
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      host,
      ...fromSource(source),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...named,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  };
}

async function send(origin: string, request: LoadRequest): Promise<Result> {
  const { body } = await exchange(origin, request);
  return resultOf(JSON.parse(body));
}

function resultOf(body: unknown): Result {
  const { result } = body as { result?: Result };
  if (result === undefined || result.isError === true)
    throw new Error(`No result: ${JSON.stringify(body).slice(0, 500)}`);
  return result;
}

export async function publishCourses({ stack }: Pick<Bench, 'stack'>): Promise<void> {
  const write = await operatorOf(stack);
  for (let n = 0; n < COURSES; n++) {
    const { id } = await write('POST', '/courses', {
      slug: `bench-${n}`,
      name: `Course ${n}: from harbour to harbour`,
    });
    await write('POST', `/courses/${id}/publish`);
  }
}
