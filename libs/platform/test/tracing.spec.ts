import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get } from '@nestjs/common';
import { injectTrace, runInTrace, runUntilAborted, withSpan } from '../src/index.js';
import { currentExecution } from '../src/request-context.js';
import { startUnderTest } from './service-under-test.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;

interface ExportedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly attributes: { key: string; value: Record<string, unknown> }[];
  readonly status: { code?: number; message?: string };
}

@Controller()
class TracedController {
  @Get('traced/:id')
  traced(): Promise<object> {
    return withSpan('inner', { course: 'x' }, async () => {
      await sleep(1);
      const carrier: Record<string, string> = {};
      injectTrace(carrier);
      return carrier;
    });
  }

  @Get('broken')
  async broken(): Promise<object> {
    return withSpan('inner', {}, () => Promise.reject(new TypeError('hunter2')));
  }
}

describe('without a collector', () => {
  it('forwards the trace position of the caller without a span', async () => {
    const service = await startUnderTest({ controllers: [TracedController] });
    try {
      const response = await fetch(`${service.url}/traced/1`, {
        headers: { traceparent: TRACEPARENT, tracestate: 'a=1' },
      });
      expect(await response.json()).toEqual({ traceparent: TRACEPARENT, tracestate: 'a=1' });
      expect(await (await fetch(`${service.url}/traced/1`)).json()).toEqual({});
    } finally {
      await service.close();
    }
  });

  it('calls the function and returns its result or error', async () => {
    expect(await withSpan('x', {}, async () => 7)).toBe(7);
    await expect(withSpan('x', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('continues the trace position of a message', async () => {
    const carrier = await runInTrace({ Traceparent: TRACEPARENT }, 'consume', async () => {
      const onward: Record<string, string> = {};
      injectTrace(onward);
      return onward;
    });
    expect(carrier).toEqual({ traceparent: TRACEPARENT });
  });
});

describe('with a collector', () => {
  let collector: Server;
  let spans: ExportedSpan[];
  let resources: unknown[];

  beforeEach(async () => {
    spans = [];
    resources = [];
    collector = createServer((request, response) => {
      void json(request).then((body) => {
        const { resourceSpans } = body as {
          resourceSpans: { resource: unknown; scopeSpans: { spans: ExportedSpan[] }[] }[];
        };
        for (const item of resourceSpans) {
          resources.push(item.resource);
          spans.push(...item.scopeSpans.flatMap((scope) => scope.spans));
        }
        response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => collector.close(resolve)));

  async function whileTraced<T>(work: (url: string) => Promise<T>): Promise<T> {
    const { port } = collector.address() as AddressInfo;
    const service = await startUnderTest({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/` },
      controllers: [TracedController],
    });
    try {
      return await work(service.url);
    } finally {
      // The last spans are sent at the end.
      await service.close();
    }
  }

  const call = (path: string, headers: Record<string, string>): Promise<Response> =>
    whileTraced((url) => fetch(`${url}${path}`, { headers }));

  const spanOf = (name: string) => spans.find((span) => span.name === name);

  it('exports the request below its caller and the inner span below the request, and forwards the inner position', async () => {
    const response = await call('/traced/1?code=hunter2', { traceparent: TRACEPARENT, tracestate: 'a=1' });
    const onward = (await response.json()) as Record<string, string>;
    const request = spanOf('GET /traced/:id');
    const inner = spanOf('inner');
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: 2 });
    expect(inner).toMatchObject({ traceId: TRACE, parentSpanId: request?.spanId });
    expect(onward).toEqual({ traceparent: `00-${TRACE}-${inner?.spanId}-01`, tracestate: 'a=1' });
    expect(request?.attributes).toContainEqual({ key: 'http.route', value: { stringValue: '/traced/:id' } });
    expect(request?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } });
    expect(JSON.stringify(resources)).toContain('under-test');
    expect(JSON.stringify(spans)).not.toContain('hunter2');
  });

  it('marks failures with the error type, not the message', async () => {
    expect((await call('/broken', {})).status).toBe(500);
    expect(spanOf('inner')?.status).toEqual({ code: 2, message: 'TypeError' });
    expect(spanOf('GET /broken')?.status).toEqual({ code: 2 });
    expect(JSON.stringify(spans)).not.toContain('hunter2');
  });

  it('exports a message handler below its sender, and forwards its own position', async () => {
    const onward: Record<string, string> = {};
    await whileTraced(() => runInTrace({ Traceparent: TRACEPARENT }, 'consume', async () => injectTrace(onward)));
    const span = spanOf('consume');
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: 5 });
    expect(onward).toEqual({ traceparent: `00-${TRACE}-${span?.spanId}-01` });
  });

  it('keeps the abort signal of the work within a span', async () => {
    const { signal } = new AbortController();
    const within = (): Promise<unknown> => withSpan('inner', {}, async () => currentExecution()?.signal);
    expect(await whileTraced(() => runUntilAborted(signal, within))).toBe(signal);
  });

  it('exports nothing of a trace that the caller does not sample', async () => {
    await call('/traced/1', { traceparent: `00-${TRACE}-${PARENT}-00` });
    expect(spans).toEqual([]);
  });
});
