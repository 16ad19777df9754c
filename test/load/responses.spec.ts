import { type Send, expectedResponses } from './responses.ts';
import { type ApiResponse, stablePart } from './exchange.ts';
import type { Comparison, Contender, LoadRequest } from './suite.ts';

const get = (path: string): LoadRequest => ({ method: 'GET', path, headers: {} });
const facts = (body: unknown): unknown => (body as { data: unknown }).data;
const contender = (name: string, requests: readonly LoadRequest[]): Contender => ({
  name,
  origin: name,
  requests,
  facts,
  variesFrom: ',"cost"',
  pid: () => 0,
});
const comparison = (ours = [get('/1'), get('/2')], baseline = [get('/a'), get('/b')]): Comparison => ({
  suite: 'suite',
  title: 'one ÷ other',
  ours: contender('ours', ours),
  baseline: contender('baseline', baseline),
});

const RIGHT: Record<string, string> = {
  'ours/1': '{"data":{"n":1,"m":null},"cost":9}',
  'ours/2': '{"data":{"n":2},"cost":8}',
  'baseline/a': '{"data":{"m":null,"n":1}}',
  'baseline/b': '{"data":{"n":2}}',
};
const respondWith =
  (changed: Record<string, ApiResponse | string> = {}): Send =>
  (origin, { path }) => {
    const response = changed[origin + path] ?? RIGHT[origin + path]!;
    return Promise.resolve(typeof response === 'string' ? { status: 200, body: response } : response);
  };

describe('the responses of two contenders before the measurement', () => {
  it('expects responses without the varying part', async () => {
    await expect(expectedResponses(comparison(), respondWith())).resolves.toEqual({
      ours: ['{"data":{"n":1,"m":null}', '{"data":{"n":2}'],
      baseline: ['{"data":{"m":null,"n":1}}', '{"data":{"n":2}}'],
    });
  });

  it.each([
    ['another value', { 'ours/2': '{"data":{"n":3}}' }, /request 1: different responses/],
    ['a missing value', { 'baseline/a': '{"data":{"n":1}}' }, /request 0: different responses/],
    ['another status', { 'baseline/b': { status: 429, body: 'slow down' } }, /baseline returned 429: slow down/],
    ['no JSON', { 'ours/1': '<html>' }, /JSON/],
  ])('ends the benchmark on %s', async (_what, changed, message) => {
    await expect(expectedResponses(comparison(), respondWith(changed))).rejects.toThrow(message);
  });

  it('requests both contenders once for each pair of requests', async () => {
    const [one, other] = [get('/1'), get('/a')];
    const send = jest.fn(respondWith());
    await expectedResponses(comparison([one, one, one], [other, other, get('/a')]), send);
    expect(send.mock.calls.map(([, { path }]) => path)).toEqual(['/1', '/a', '/1', '/a']);
  });

  it('accepts the responses of created objects', async () => {
    const created = { status: 201, body: RIGHT['ours/1']! };
    await expect(expectedResponses(comparison(), respondWith({ 'ours/1': created }))).resolves.toHaveProperty('ours');
  });

  it('ends the benchmark when responses are missing or differ in number', async () => {
    await expect(expectedResponses(comparison([], []), respondWith())).rejects.toThrow('0 requests against 0');
    await expect(expectedResponses(comparison([get('/1')]), respondWith())).rejects.toThrow('1 requests against 2');
  });
});

describe('the stable part of a response', () => {
  it('compares the whole response when nothing varies', () => {
    expect(stablePart({})('{"a":1}')).toBe('{"a":1}');
    expect(stablePart({ variesFrom: ',"cost"' })('{"a":1}')).toBe('{"a":1}');
    expect(stablePart({ variesFrom: ',"cost"' })('{"a":1,"cost":2}')).toBe('{"a":1');
  });

  it('leaves out new tokens, ids and times of the right form', () => {
    const stable = stablePart({ variesIn: ['token', 'at', 'id', 'created_at'] });
    const [one, other] = ['a', '-'].map((character) => character.repeat(43));
    expect(stable(`{"token":"${one}","at":1763700000,"n":1}`)).toBe(
      stable(`{"token":"${other}","at":1763700009,"n":1}`),
    );
    expect(stable('{"id":"019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90","created_at":"2026-11-22T08:00:00.000Z","n":1}')).toBe(
      stable('{"id":"019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a91","created_at":"2026-11-22T08:00:01Z","n":1}'),
    );
    expect(stable(`{"token":"${one}","n":1}`)).not.toBe(stable(`{"token":"${one}","n":2}`));
    for (const wrong of [
      '{"token":""}',
      '{"token":"short"}',
      '{"at":0}',
      '{"created_at":"today"}',
      `{"other":"${one}"}`,
    ])
      expect(stable(wrong)).toBe(wrong);
  });
});
