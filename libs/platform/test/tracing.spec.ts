import { setTimeout as sleep } from 'node:timers/promises';
import { startOtlpReceiver } from '@lyceum/testing';
import type { OtlpReceiver } from '@lyceum/testing';
import { Controller, Get } from '@nestjs/common';
import { injectTrace, runInTrace, runUntilAborted, withSpan } from '../src/index.js';
import { currentExecution } from '../src/telemetry/request-context.js';
import { startUnderTest } from './service-under-test.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;
/** A service that asks another one goes past the proxies, which add X-Forwarded-For. */
const PROXIES = { TRUSTED_PROXIES: '127.0.0.0/8' };
const STRANGER = { traceparent: TRACEPARENT, tracestate: 'a=1', 'x-forwarded-for': '192.0.2.7' };

@Controller()
class TracedController {
  @Get('traced/:id')
  traced(): Promise<object> {
    return withSpan('inner', { course: 'x' }, async () => {
      // The context survives a later turn of the event loop.
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
  it('forwards the trace position of another service, and of a stranger its trace id alone', async () => {
    const service = await startUnderTest({ env: PROXIES, controllers: [TracedController] });
    try {
      const response = await fetch(`${service.url}/traced/1`, {
        headers: { traceparent: TRACEPARENT, tracestate: 'a=1' },
      });
      expect(await response.json()).toEqual({ traceparent: TRACEPARENT, tracestate: 'a=1' });
      const foreign = await fetch(`${service.url}/traced/1`, { headers: STRANGER });
      expect(await foreign.json()).toEqual({ traceparent: `00-${TRACE}-${PARENT}-00` });
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
  let collector: OtlpReceiver;
  beforeEach(async () => {
    collector = await startOtlpReceiver();
  });
  afterEach(() => collector.close());

  async function whileTraced<T>(
    work: (url: string) => Promise<T>,
    ratio = '0',
    env: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const service = await startUnderTest({
      env: {
        ...PROXIES,
        OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
        OTEL_TRACES_SAMPLER_ARG: ratio,
        ...env,
      },
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

  const spanOf = (name: string) => collector.spans.find((span) => span.name === name);

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
    expect(request?.service).toBe('under-test');
    expect(JSON.stringify(collector.spans)).not.toContain('hunter2');
  });

  it('marks failures with the error type, not the message', async () => {
    expect((await call('/broken', { traceparent: TRACEPARENT })).status).toBe(500);
    expect(spanOf('inner')?.status).toEqual({ code: 2, message: 'TypeError' });
    expect(spanOf('GET /broken')?.status).toEqual({ code: 2 });
    expect(JSON.stringify(collector.spans)).not.toContain('hunter2');
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

  it('exports nothing of a trace that the calling service does not sample', async () => {
    await call('/traced/1', { traceparent: `00-${TRACE}-${PARENT}-00` });
    expect(collector.spans).toEqual([]);
  });

  it('begins a trace for a stranger, and links it to that of the stranger', async () => {
    const onward = await whileTraced(
      async (url) => (await fetch(`${url}/traced/1`, { headers: STRANGER })).json() as Promise<Record<string, string>>,
      '1',
    );
    const request = spanOf('GET /traced/:id');
    const inner = spanOf('inner');
    expect(request?.traceId).not.toBe(TRACE);
    expect(request?.parentSpanId ?? '').toBe('');
    expect(request?.links).toEqual([expect.objectContaining({ traceId: TRACE, spanId: PARENT })]);
    expect(inner).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId });
    expect(onward).toEqual({ traceparent: `00-${request?.traceId}-${inner?.spanId}-01` });
  });

  it('records no more because a stranger samples, on any request of a connection', async () => {
    const onward = await whileTraced(async (url) => {
      const positions: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        const response = await fetch(`${url}/traced/1`, { headers: STRANGER });
        positions.push(((await response.json()) as Record<string, string>)['traceparent'] ?? '');
      }
      return positions;
    });
    expect(collector.spans).toEqual([]);
    // Other services learn that a new trace has begun, and that they record nothing of it.
    expect(new Set(onward).size).toBe(3);
    for (const position of onward) {
      expect(position).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
      expect(position).not.toContain(TRACE);
    }
  });

  it('trusts no peer without trusted proxies', async () => {
    const work = (url: string) => fetch(`${url}/traced/1`, { headers: { traceparent: TRACEPARENT } });
    await whileTraced(work, '0', { TRUSTED_PROXIES: 'none' });
    expect(collector.spans).toEqual([]);
  });

  it('continues the traces of all callers behind a gateway that begins them', async () => {
    await whileTraced((url) => fetch(`${url}/traced/1`, { headers: STRANGER }), '0', { TRACES_OF_CALLERS: 'continue' });
    expect(spanOf('GET /traced/:id')).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
  });

  it.each([
    ['1', 1],
    ['0', 0],
  ])('records with the ratio %s of the traces that begin here %d', async (ratio, count) => {
    await whileTraced((url) => fetch(`${url}/traced/1`), ratio);
    expect(collector.spans.filter(({ name }) => name === 'GET /traced/:id')).toHaveLength(count);
    expect(collector.spans.filter(({ name }) => name === 'inner')).toHaveLength(count);
  });
});
