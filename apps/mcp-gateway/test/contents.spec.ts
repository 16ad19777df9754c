import { ERAS, Gateway, rpcErrorOf, send } from './gateway.js';
import type { Era } from './gateway.js';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start();
});

afterAll(() => gateway?.close());

const read = (era: Era, uri: string) => send(gateway.url, era, { method: 'resources/read', params: { uri } });

const complete = (era: Era, uri: string, name: string, value = 'd') =>
  send(gateway.url, era, {
    method: 'completion/complete',
    params: { ref: { type: 'ref/resource', uri }, argument: { name, value } },
  });

describe.each(ERAS)('in the %s era', (era) => {
  it('reads a resource from its owning service, as JSON of its schema', async () => {
    const { body } = await read(era, 'school://profile');
    expect(body.result).toMatchObject({
      contents: [{ uri: 'school://profile', mimeType: 'application/json', text: '{"name":"Site One"}' }],
    });
  });

  it('passes the decoded variables of a template', async () => {
    const { body } = await read(era, 'school://courses/a%20b');
    expect(body.result).toMatchObject({ contents: [{ uri: 'school://courses/a%20b', text: '{"slug":"a b"}' }] });
  });

  it.each([
    ['school://courses/none', -32_602, 'not found'],
    ['school://courses/{slug}', -32_602, 'not found'],
    ['school://nothing', -32_602, 'not found'],
    ['school://courses/longer-than-twenty-characters', -32_602, 'at most 20 characters'],
    ['school://courses/long', -32_602, 'at most 61440'],
    ['school://courses/fault', -32_603, 'on our side'],
  ])('refuses %s with %d', async (uri, code, words) => {
    const error = rpcErrorOf(await read(era, uri));
    expect(error).toMatchObject({ code });
    expect(error.message?.toLowerCase()).toContain(words);
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  it('returns a prompt’s messages with its arguments', async () => {
    const params = { name: 'plan_my_study_week', arguments: { hours: '7' } };
    const { body } = await send(gateway.url, era, { method: 'prompts/get', params }, { token: 'member' });
    expect(body.result).toMatchObject({ messages: [{ role: 'user', content: { text: 'Plan 7 hours.' } }] });
  });

  it('names the missing argument of a prompt', async () => {
    const sent = { method: 'prompts/get', params: { name: 'plan_my_study_week' } };
    const reply = await send(gateway.url, era, sent, { token: 'member' });
    expect(rpcErrorOf(reply)).toMatchObject({
      code: -32_602,
      data: { code: 'validation_failed', errors: [{ pointer: '/hours' }] },
    });
  });

  it('completes a variable by the service', async () => {
    const { body } = await complete(era, 'school://courses/{slug}', 'slug');
    expect(body.result).toMatchObject({ completion: { values: ['drawing', 'dancing'], hasMore: false } });
  });

  it('returns no values without a completion, and an error for an unknown name', async () => {
    const none = await complete(era, 'school://profile', 'slug');
    expect(none.body.result).toMatchObject({ completion: { values: [] } });
    expect(rpcErrorOf(await complete(era, 'school://nothing/{x}', 'x'))).toMatchObject({ code: -32_602 });
  });
});
