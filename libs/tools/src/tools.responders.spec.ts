import type { HandlerContext } from '@lyceum/messaging';
import { z } from 'zod';
import { InputNeeded } from './input-needed.js';
import type { ToolCall } from './tool.decorator.js';
import { responder } from './tools.responders.js';
import type { Capability } from './tools.discovery.js';

const context: HandlerContext = {
  site_id: '018f3b1e-0000-7000-8000-000000000001',
  principal: null,
  deadline: Date.now() + 1_000,
  idempotencyKey: undefined,
  requestId: 'r',
  signal: new AbortController().signal,
  progress: () => undefined,
};

const capability = (call: Capability['call']): Capability => ({
  kind: 'tool',
  entry: { name: 'delete_course', audience: 'public', scopes: [], version: '0123456789abcdef' },
  schemas: () => ({ input: z.strictObject({}), output: z.object({ deleted: z.boolean() }) }),
  call,
});

/** Asks for input in the first round. */
const asking = responder(
  capability(({ client }: ToolCall<unknown>) =>
    Promise.resolve(
      client.inputResponses['sure'] === undefined
        ? new InputNeeded({ sure: { method: 'elicitation/create', params: {} } }, 'a state')
        : { deleted: client.requestState === 'a state', inside: 'stays there' },
    ),
  ),
);

const QUESTION = {
  resultType: 'input_required',
  inputRequests: { sure: { method: 'elicitation/create', params: {} } },
  requestState: 'a state',
};

describe('a tool that needs input of the client', () => {
  it.each([
    ['says nothing of itself', {}],
    ['is of an older gateway, which says less', { arguments: {} }],
    ['has answered another question', { client: { inputResponses: { other: {} } } }],
  ])('asks a client that %s', async (_what, body) => {
    expect(await asking({ arguments: {}, ...body }, context)).toEqual(QUESTION);
  });

  it('continues with the client’s answers and state', async () => {
    const client = { inputResponses: { sure: { action: 'accept' } }, requestState: 'a state' };
    expect(await asking({ arguments: {}, client }, context)).toEqual({ deleted: true });
  });

  it.each([{ inputResponses: 5 }, { inputResponses: [] }, { requestState: 5 }, { capabilities: 'all' }, null])(
    'refuses a client that says %j',
    async (client) => {
      await expect(asking({ arguments: {}, client }, context)).rejects.toMatchObject({ code: 'invalid_request' });
    },
  );
});

it('does not start a tool for a disconnected caller', async () => {
  const call = jest.fn(() => Promise.resolve({ deleted: true }));
  const signal = AbortSignal.abort(new Error('gone'));
  await expect(responder(capability(call))({ arguments: {} }, { ...context, signal })).rejects.toThrow('gone');
  expect(call).not.toHaveBeenCalled();
});
