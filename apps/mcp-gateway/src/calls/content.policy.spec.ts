import type { Reply } from '@lyceum/contracts';
import { CallFailed, promptMessages, inputRequiredOf, resourceContents } from './content.policy.js';
import { RESULT_LIMIT } from './tool-result.policy.js';

const URI = 'school://profile';
const JSON_FORM = { mimeType: 'application/json', form: 'json' } as const;
const ok = (result: unknown): Reply => ({ ok: true, result });
const message = (text: string) => ({ messages: [{ role: 'user', content: { type: 'text', text } }] });

function failure(fn: () => unknown): CallFailed['error'] | undefined {
  try {
    fn();
  } catch (error) {
    if (error instanceof CallFailed) return error.error;
    throw error;
  }
  return undefined;
}

describe('content', () => {
  it('converts a resource to one JSON text at its URI', () => {
    expect(resourceContents(URI, JSON_FORM, ok({ name: 'Ünï' }))).toEqual([
      { uri: URI, mimeType: 'application/json', text: '{"name":"Ünï"}' },
    ]);
  });

  it.each([
    ['text', { text: 'aGk=' }],
    ['blob', { blob: 'aGk=' }],
  ] as const)('accepts a resource content as %s', (form, content) => {
    const entry = { mimeType: 'image/png', form };
    expect(resourceContents(URI, entry, ok('aGk='))).toEqual([{ uri: URI, mimeType: 'image/png', ...content }]);
  });

  it('converts a prompt to its messages', () => {
    expect(promptMessages(ok(message('Plan.')))).toEqual(message('Plan.').messages);
  });

  it('accepts sixty kilobytes, and not one byte more', () => {
    const frame = JSON.stringify({ text: '' }).length;
    const resource = (length: number) => () => resourceContents(URI, JSON_FORM, ok({ text: 'a'.repeat(length) }));
    expect(failure(resource(RESULT_LIMIT - frame))).toBeUndefined();
    expect(failure(resource(RESULT_LIMIT - frame + 1))).toMatchObject({ code: 'payload_too_large' });
    const around = JSON.stringify(message('').messages).length;
    const prompt = (length: number) => () => promptMessages(ok(message('a'.repeat(length))));
    expect(failure(prompt(RESULT_LIMIT - around))).toBeUndefined();
    expect(failure(prompt(RESULT_LIMIT - around + 1))).toMatchObject({ code: 'payload_too_large' });
  });

  it('throws a failure unchanged', () => {
    const error = { code: 'not_found', detail: 'No course', hint: 'Search for it' };
    expect(failure(() => promptMessages({ ok: false, error }))).toEqual(error);
    expect(failure(() => resourceContents(URI, JSON_FORM, { ok: false, error }))).toEqual(error);
  });
});

describe('a reply', () => {
  const inputRequests = { sure: { method: 'elicitation/create', params: { message: 'Are you sure?' } } };
  const inputRequired = { resultType: 'input_required', inputRequests, requestState: 's' };

  it('contains questions when input is required', () => {
    expect(inputRequiredOf(ok(inputRequired))).toEqual(inputRequired);
  });

  it.each([[{ resultType: 'complete', inputRequests }], [{ inputRequests }], [null], ['input_required']])(
    'finds no questions in the reply %j',
    (result) => {
      expect(inputRequiredOf(ok(result))).toBeUndefined();
    },
  );

  it('contains no questions when it failed', () => {
    expect(inputRequiredOf({ ok: false, error: { code: 'not_found', detail: 'No' } })).toBeUndefined();
  });

  it('accepts questions up to the result limit, and not one byte more', () => {
    const frame = JSON.stringify({ ...inputRequired, requestState: '' }).length;
    const state = (length: number) => () => inputRequiredOf(ok({ ...inputRequired, requestState: 'a'.repeat(length) }));
    expect(failure(state(RESULT_LIMIT - frame))).toBeUndefined();
    expect(failure(state(RESULT_LIMIT - frame + 1))).toMatchObject({ code: 'payload_too_large' });
  });
});
