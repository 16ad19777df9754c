import type { ListedTool } from '#src/catalog/catalog.policy.js';
import { RESULT_LIMIT, toolResult } from './tool-result.policy.js';

const tool = (properties: Record<string, object> = {}): ListedTool => ({
  name: 'list_courses',
  title: 'List courses',
  description: 'Lists courses',
  audience: 'public',
  scopes: [],
  service: 'admin-api',
  toolset: 'courses',
  version: '0000000000000000',
  older: [],
  core: false,
  inputSchema: { type: 'object', properties },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});

function textOf(result: ReturnType<typeof toolResult>): string {
  const [first] = result.content;
  return first?.type === 'text' ? first.text : '';
}

describe('toolResult', () => {
  it('returns structured content, and the same as compact text', () => {
    const result = { items: [{ name: 'Ünï "quoted"' }], next_cursor: null };
    expect(toolResult(tool(), { ok: true, result })).toEqual({
      content: [{ type: 'text', text: JSON.stringify(result) }],
      structuredContent: result,
    });
  });

  it('accepts sixty kilobytes, and not one byte more', () => {
    const frame = JSON.stringify({ text: '' }).length;
    const fits = toolResult(tool(), { ok: true, result: { text: 'a'.repeat(RESULT_LIMIT - frame) } });
    expect(fits.isError).toBeUndefined();
    const large = toolResult(tool(), { ok: true, result: { text: 'a'.repeat(RESULT_LIMIT - frame + 1) } });
    expect(large.isError).toBe(true);
    expect(large.structuredContent).toBeUndefined();
    expect(JSON.parse(textOf(large))).toMatchObject({ error: { code: 'payload_too_large' } });
  });

  it('counts bytes, not characters', () => {
    const result = toolResult(tool(), { ok: true, result: { text: 'ü'.repeat(RESULT_LIMIT / 2) } });
    expect(result.isError).toBe(true);
  });

  it('describes how to request less, by the parameters of the tool', () => {
    const reply = { ok: true, result: { text: 'a'.repeat(RESULT_LIMIT) } } as const;
    expect(textOf(toolResult(tool({ first: {}, after: {} }), reply))).toContain('`first`');
    expect(textOf(toolResult(tool({ course_id: {} }), reply))).not.toContain('`first`');
  });

  it('asks for no repetition of a change whose result is too large', () => {
    const reply = { ok: true, result: { text: 'a'.repeat(RESULT_LIMIT) } } as const;
    const changing = { ...tool(), annotations: { ...tool().annotations, readOnlyHint: false } };
    expect(JSON.parse(textOf(toolResult(changing, reply)))).toMatchObject({
      error: {
        code: 'payload_too_large',
        message: expect.stringContaining('The call succeeded, but its result has '),
        hint: 'Do not repeat the call. Read what it changed with a tool that lists it in pages.',
      },
    });
    expect(textOf(toolResult(tool(), reply))).not.toContain('repeat');
  });

  it('returns a business failure as an error with code, fields and hint, without structured content', () => {
    const errors = [{ pointer: '/email', code: 'invalid_format', detail: 'Not an e-mail address' }];
    const result = toolResult(tool(), {
      ok: false,
      error: { code: 'validation_failed', detail: 'Look at the arguments', errors, hint: 'Correct them' },
    });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    expect(JSON.parse(textOf(result))).toEqual({
      error: {
        code: 'validation_failed',
        message: 'Look at the arguments',
        fields: [{ field: '/email', code: 'invalid_format', message: 'Not an e-mail address' }],
        hint: 'Correct them',
      },
    });
  });

  it('returns the id of the object that has a value already', () => {
    const id = '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90';
    const errors = [{ pointer: '/slug', code: 'already_exists', detail: 'Taken by another course', id }];
    const result = toolResult(tool(), { ok: false, error: { code: 'already_exists', detail: 'Taken', errors } });
    expect(JSON.parse(textOf(result))).toMatchObject({
      error: { fields: [{ field: '/slug', code: 'already_exists', message: 'Taken by another course', id }] },
    });
  });

  it.each([
    ['not_found', undefined, 'Take ids and slugs from a tool that lists or searches; do not guess them.'],
    ['not_found', 'List them.', 'List them.'],
    ['temporarily_unavailable', undefined, 'Nothing is wrong with the call: try it again later.'],
    ['precondition_failed', undefined, 'Read the object again, then repeat the change with its new etag.'],
    ['resource_in_use', undefined, undefined],
  ])('returns %s with the hint %j with the hint %j', (code, given, hint) => {
    const error = { code, detail: 'No.', ...(given === undefined ? {} : { hint: given }) };
    expect(JSON.parse(textOf(toolResult(tool(), { ok: false, error })))).toEqual({
      error: { code, message: 'No.', ...(hint === undefined ? {} : { hint }) },
    });
  });

  describe('a call that its service did not complete', () => {
    const hintOf = (properties: Record<string, object>, hints: object, input: Record<string, unknown>): unknown => {
      const listed = tool(properties);
      const changing = { ...listed.annotations, readOnlyHint: false, idempotentHint: false, ...hints };
      const error = { code: 'temporarily_unavailable', detail: 'Too late.' };
      const result = toolResult({ ...listed, annotations: changing }, { ok: false, error }, input);
      return (JSON.parse(textOf(result)) as { error: { hint?: unknown } }).error.hint;
    };
    const again = 'Nothing is wrong with the call: try it again later.';
    const first = 'The change may have been made. Read what the call changes before you repeat it';
    const keyed = { idempotency_key: {}, dry_run: {} };

    it.each([
      ['without a key', { dry_run: false }],
      ['with a key that its service refuses', { idempotency_key: 'my key' }],
    ])('says of a change %s that it may have been made, and how to repeat it', (_what, input) => {
      expect(hintOf(keyed, {}, input)).toBe(
        `${first}, and send \`idempotency_key\` then, which makes further repetitions safe.`,
      );
    });

    it('names no key for a tool without that argument', () => {
      expect(hintOf({}, {}, {})).toBe(`${first}.`);
    });

    it.each([
      ['with a key', {}, { idempotency_key: 'k1' }],
      ['of an idempotent tool', { idempotentHint: true }, {}],
      ['that reads', { readOnlyHint: true }, {}],
      ['that is a dry run', {}, { dry_run: true }],
    ])('says to repeat a call %s', (_what, hints, input) => {
      expect(hintOf(keyed, hints, input)).toBe(again);
    });
  });

  it('returns only the content of a content tool', () => {
    const { outputSchema: _, ...showing } = tool();
    const content = [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }];
    expect(toolResult(showing, { ok: true, result: { content } })).toEqual({ content });
    expect(toolResult(showing, { ok: true, result: { content: [] } })).toMatchObject({ isError: true });
    const large = [{ type: 'text', text: 'a'.repeat(RESULT_LIMIT) }];
    expect(textOf(toolResult(showing, { ok: true, result: { content: large } }))).toContain('payload_too_large');
  });

  it.each([null, undefined, 'text', 5, ['a']])(
    'treats a result that is no object (%p) as an unexpected error of the tool',
    (result) => {
      expect(JSON.parse(textOf(toolResult(tool(), { ok: true, result })))).toMatchObject({
        error: { code: 'internal' },
      });
    },
  );
});
