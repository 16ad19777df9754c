import { MAX_JSON_DEPTH } from '@lyceum/platform';
import { checkHeaders, readMessage } from './message.policy.js';
import { HEADER_MISMATCH, INVALID_REQUEST, MessageRefusal, PARSE_ERROR } from './refusal.js';

function refusalOf(fn: () => void): MessageRefusal | undefined {
  try {
    fn();
  } catch (error) {
    if (error instanceof MessageRefusal) return error;
    throw error;
  }
  return undefined;
}

const call = (name: unknown, id: unknown = 7): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });

describe('readMessage', () => {
  it('returns method, tool and id', () => {
    expect(readMessage(call('browse_course'))).toMatchObject({ id: 7, method: 'tools/call', target: 'browse_course' });
  });

  it('limits the nesting, and rejects a very deep message as cheaply', () => {
    // The message and its `params` are two of the levels.
    const deep = (levels: number) =>
      `{"id":7,"method":"x","params":{"a":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}}`;
    expect(readMessage(deep(MAX_JSON_DEPTH)).method).toBe('x');
    for (const levels of [MAX_JSON_DEPTH + 1, 100_000]) {
      expect(refusalOf(() => readMessage(deep(levels)))).toMatchObject({ code: INVALID_REQUEST, status: 400 });
    }
  });

  it('returns the URI of a resource, not its name', () => {
    const params = { uri: 'school://profile', name: 'x' };
    const read = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params });
    expect(readMessage(read).target).toBe('school://profile');
    expect(readMessage(read.replace('resources/read', 'tools/call')).target).toBe('x');
  });

  it.each([
    [{ type: 'ref/prompt', name: 'plan' }, { prompt: 'plan' }],
    [{ type: 'ref/resource', uri: 'school://courses/{slug}' }, { template: 'school://courses/{slug}' }],
    [{ type: 'ref/prompt', uri: 'x' }, undefined],
    [{ type: 'ref/resource', uri: 5 }, undefined],
    ['ref/prompt', undefined],
  ])('returns the target of a completion: %j', (ref, expected) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'completion/complete', params: { ref } });
    expect(readMessage(text).ref).toEqual(expected);
  });

  it.each([
    [
      { jsonrpc: '2.0', method: 'x' },
      { id: null, method: 'x', target: undefined },
    ],
    [
      { id: {}, method: 5, params: [] },
      { id: null, method: undefined, target: undefined },
    ],
    [{ params: { name: ['browse_course'] } }, { id: null, method: undefined, target: undefined }],
  ])('parses the valid part of the odd message (%j)', (body, read) => {
    expect(readMessage(JSON.stringify(body))).toMatchObject(read);
  });

  it.each([undefined, '', '{', '{"a":1}}', 'undefined', { an: 'object' }])('rejects %p, which is no JSON', (text) => {
    expect(refusalOf(() => readMessage(text))).toMatchObject({ status: 400, code: PARSE_ERROR, id: null });
  });

  it.each(['[]', `[${call('browse_course')}]`, 'null', '1', '"text"', 'true'])(
    'rejects %s, which is no single message',
    (text) => {
      expect(refusalOf(() => readMessage(text))).toMatchObject({ status: 400, code: INVALID_REQUEST, id: null });
    },
  );
});

describe('checkHeaders', () => {
  const message = readMessage(call('browse_course'));

  it.each([
    {},
    { method: 'tools/call' },
    { name: 'browse_course' },
    { name: ' browse_course ' },
    { method: 'tools/call', name: `=?base64?${Buffer.from('browse_course').toString('base64')}?=` },
  ])('accepts %j, which agree with the body', (headers) => {
    expect(refusalOf(() => checkHeaders(message, headers))).toBeUndefined();
  });

  it.each([
    { method: 'tools/list' },
    { name: 'enroll_student' },
    { name: 'browse_course, enroll_student' },
    { name: '' },
    { name: `=?base64?${Buffer.from('enroll_student').toString('base64')}?=` },
  ])('rejects %j, which contradict the body', (headers) => {
    expect(refusalOf(() => checkHeaders(message, headers))).toMatchObject({
      status: 400,
      code: HEADER_MISMATCH,
      id: 7,
    });
  });
});
