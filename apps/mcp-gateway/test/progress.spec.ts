import { eventually } from '@lyceum/testing';
import { SchoolTools } from './fixture.tools.js';
import { ERAS, Gateway, request, wire } from './gateway.js';
import type { Era } from './gateway.js';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start();
});

afterAll(() => gateway?.close());

beforeEach(() => {
  SchoolTools.calls = [];
  SchoolTools.release = Promise.withResolvers<void>();
});

/** Starts a call and collects its response so far. */
async function start(era: Era, _meta: object): Promise<{ response: Response; seen: () => string; end: Promise<void> }> {
  const { body, headers } = wire(era, { id: 1, method: 'tools/call', params: { name: 'wait_for_it', arguments: {} } });
  const { params } = body as { params: { _meta?: object } };
  params._meta = { ...params._meta, ..._meta };
  const response = await request(gateway.url, body, { headers });
  let text = '';
  const end = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true });
  })();
  return { response, seen: () => text, end };
}

describe.each(ERAS)('progress, in the %s era', (era) => {
  it.each(['a-token', 7])(
    'sends progress to a client with the progress token %j, before the result',
    async (progressToken) => {
      const { response, seen, end } = await start(era, { progressToken });
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      await eventually(() => seen().includes('notifications/progress'));
      expect(seen()).not.toContain('"result"');
      const data = /^data: (.*progress.*)$/m.exec(seen())?.[1] ?? '';
      expect(JSON.parse(data)).toMatchObject({
        method: 'notifications/progress',
        params: { progressToken, progress: 1, total: 2, message: 'half of it' },
      });
      SchoolTools.release.resolve();
      await end;
      expect(seen()).toContain('"result"');
    },
  );

  it('sends no progress to a client that did not subscribe', async () => {
    SchoolTools.release.resolve();
    const { seen, end } = await start(era, {});
    await end;
    expect(seen()).toContain('"result"');
    expect(seen()).not.toContain('progress');
  });
});
