import type { Reply } from '@lyceum/contracts';
import { CallFailed, promptMessages, resourceContents } from './content.policy.js';
import { RESULT_LIMIT } from './tool-result.policy.js';

const URI = 'school://profile';
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

describe('the content', () => {
  it('of a resource is one JSON text at its URI', () => {
    expect(resourceContents(URI, 'application/json', ok({ name: 'Ünï' }))).toEqual([
      { uri: URI, mimeType: 'application/json', text: '{"name":"Ünï"}' },
    ]);
  });

  it('of a prompt is its messages', () => {
    expect(promptMessages(ok(message('Plan.')))).toEqual(message('Plan.').messages);
  });

  it('may have sixty kilobytes, and not one byte more', () => {
    const frame = JSON.stringify({ text: '' }).length;
    const resource = (length: number) => () =>
      resourceContents(URI, 'application/json', ok({ text: 'a'.repeat(length) }));
    expect(failure(resource(RESULT_LIMIT - frame))).toBeUndefined();
    expect(failure(resource(RESULT_LIMIT - frame + 1))).toMatchObject({ code: 'payload_too_large' });
    const around = JSON.stringify(message('').messages).length;
    const prompt = (length: number) => () => promptMessages(ok(message('a'.repeat(length))));
    expect(failure(prompt(RESULT_LIMIT - around))).toBeUndefined();
    expect(failure(prompt(RESULT_LIMIT - around + 1))).toMatchObject({ code: 'payload_too_large' });
  });

  it('that is a failure is thrown as it is', () => {
    const error = { code: 'not_found', detail: 'No course', hint: 'Search for it' };
    expect(failure(() => promptMessages({ ok: false, error }))).toEqual(error);
    expect(failure(() => resourceContents(URI, 'application/json', { ok: false, error }))).toEqual(error);
  });
});
