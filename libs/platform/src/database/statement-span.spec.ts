import { startOtlpReceiver } from '@lyceum/testing';
import { runInTrace, startTracing } from '../telemetry/tracing.js';
import { endStatementSpan, startStatementSpan } from './statement-span.js';

const TEXT = 'SELECT slug FROM courses WHERE id = $1';

afterEach(() => jest.restoreAllMocks());

/** The attributes of a statement that takes this time. */
async function attributesAfter(milliseconds: number, text = TEXT): Promise<Record<string, unknown>> {
  const collector = await startOtlpReceiver();
  const tracing = await startTracing({ endpoint: collector.url, service: 'under-test', ratio: 1 });
  try {
    await runInTrace({}, 'work', async () => {
      const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
      const span = startStatementSpan({ text });
      clock.mockReturnValue(1_000 + milliseconds);
      const result = Promise.resolve();
      endStatementSpan(span!, result);
      await result;
      clock.mockRestore();
    });
  } finally {
    await tracing.stop();
    await collector.close();
  }
  const { attributes } = collector.spans.find(({ name }) => name === 'SELECT courses')!;
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));
}

describe('The span of a statement', () => {
  it.each([
    ['leaves its text out before 10 ms', 9.9, undefined],
    ['adds its text from 10 ms on', 10, TEXT],
  ])('%s', async (_case, milliseconds, text) => {
    const attributes = await attributesAfter(milliseconds);
    expect(attributes['db.query.text']).toBe(text);
    expect(attributes['db.query.summary']).toBe('SELECT courses');
  });

  it('ends its text after 2,000 characters', async () => {
    const { 'db.query.text': text } = await attributesAfter(10, TEXT.padEnd(3_000));
    expect(text).toBe(TEXT.padEnd(2_000));
  });
});
