import { SchoolTools } from './fixture.tools.js';
import { ERAS, Gateway, send } from './gateway.js';
import type { Message } from './gateway.js';

const IN_MESSAGE = '4bf92f3577b34da6a3ce929d0e0e4736';
const IN_HEADER = '0af7651916cd43dd8448eb211c80319c';
const traceparent = (trace: string, flags = '01'): string => `00-${trace}-b7ad6b7169203331-${flags}`;
const sent = (_meta: object): Message => ({
  method: 'tools/call',
  params: { name: 'browse_catalog', arguments: {}, _meta },
});

let gateway: Gateway;
afterEach(() => gateway?.close());

describe.each(ERAS)('a call of the %s era', (era) => {
  describe('behind a gateway that begins all traces', () => {
    beforeEach(async () => {
      gateway = await Gateway.start({ environment: { TRACES_OF_CALLERS: 'continue' } });
    });

    it('continues the trace in the headers before that in the message', async () => {
      await send(gateway.url, era, sent({ traceparent: traceparent(IN_MESSAGE) }));
      expect(SchoolTools.trace).toBe(traceparent(IN_MESSAGE));
      const headers = { traceparent: traceparent(IN_HEADER) };
      await send(gateway.url, era, sent({ traceparent: traceparent(IN_MESSAGE) }), { headers });
      expect(SchoolTools.trace).toBe(traceparent(IN_HEADER));
    });

    it('ignores a malformed traceparent in the message', async () => {
      for (const odd of ['00-0-0-01', 5, { a: 1 }, '']) {
        SchoolTools.trace = 'of another call';
        const { status } = await send(gateway.url, era, sent({ traceparent: odd, tracestate: odd }));
        expect([odd, status, SchoolTools.trace]).toEqual([odd, 200, undefined]);
      }
    });
  });

  it('leaves the decision to record to the gateway for a stranger', async () => {
    gateway = await Gateway.start();
    await send(gateway.url, era, sent({ traceparent: traceparent(IN_MESSAGE) }));
    expect(SchoolTools.trace).toBeUndefined();
    const headers = { traceparent: traceparent(IN_HEADER) };
    await send(gateway.url, era, sent({}), { headers });
    expect(SchoolTools.trace).toBe(traceparent(IN_HEADER, '00'));
  });
});
