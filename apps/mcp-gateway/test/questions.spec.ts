import { Injectable } from '@nestjs/common';
import type { ContentOutput, PromptOutput } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { InputNeeded, Prompt, Resource, Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { z } from 'zod';
import { ERAS, Gateway, rpcErrorOf, send } from './gateway.js';
import type { ReceivedResponse } from './gateway.js';

const OPEN = { audience: 'public', scopes: [], toolset: 'x', title: 'X', description: 'X.' } as const;
const input = z.object({});
const QUESTIONS = {
  sure: {
    method: 'elicitation/create',
    params: { message: 'Sure?', requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } } } },
  },
};
const STATE = 'signed by the service';

/** Requires input, and refuses a foreign state. */
function requireInput<T>({ client }: ToolCall<object>, response: T): Promise<T | InputNeeded> {
  if (client.requestState === undefined) return Promise.resolve(new InputNeeded(QUESTIONS, STATE));
  if (client.requestState !== STATE) throw new ApiError('invalid_request', 'The state is another one.');
  return Promise.resolve(response);
}

@Injectable()
class ToolsWithQuestions {
  @Tool({ ...OPEN, name: 'delete_it', input, output: 'content', annotations: { readOnlyHint: false } })
  remove(call: ToolCall<object>): Promise<ContentOutput | InputNeeded> {
    return requireInput(call, { content: [{ type: 'text', text: JSON.stringify(call.client.inputResponses) }] });
  }

  @Prompt({ ...OPEN, name: 'plan_it', input })
  plan(call: ToolCall<object>): Promise<PromptOutput | InputNeeded> {
    return requireInput(call, { messages: [{ role: 'user', content: { type: 'text', text: 'Plan.' } }] });
  }

  @Resource({ ...OPEN, name: 'it', uri: 'school://it', input, output: z.object({ done: z.boolean() }) })
  read(call: ToolCall<object>): Promise<object> {
    return requireInput(call, { done: true });
  }
}

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start({ capabilities: { 'admin-api': [ToolsWithQuestions] }, replicas: 2 });
});

afterAll(() => gateway?.close());

const CAPABLE = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
const ANSWERS = { inputResponses: { sure: { action: 'accept', content: { ok: true } } } };

const OFFERS = [
  ['tools/call', { name: 'delete_it', arguments: {} }],
  ['prompts/get', { name: 'plan_it' }],
  ['resources/read', { uri: 'school://it' }],
] as const;

describe.each(OFFERS)('questions of %s', (method, target) => {
  const requireInput = (params: object, replica = 0): Promise<ReceivedResponse> =>
    send(gateway.replicas[replica]?.url ?? '', 'modern', { method, params: { ...target, _meta: CAPABLE, ...params } });

  it('sends questions to a client that supports them, and accepts the response at another replica', async () => {
    const { body } = await requireInput({});
    expect(body.result).toMatchObject({ resultType: 'input_required', inputRequests: QUESTIONS, requestState: STATE });
    const completed = await requireInput({ ...ANSWERS, requestState: STATE }, 1);
    expect(completed.body.result).toMatchObject({ resultType: 'complete' });
    if (method === 'tools/call') {
      const text = JSON.stringify(ANSWERS.inputResponses);
      expect(completed.body.result?.content).toEqual([{ type: 'text', text }]);
    }
  });

  it('refuses questions without the client’s capability, which the error names', async () => {
    const reply = await requireInput({ _meta: {} });
    expect(reply.status).toBe(400);
    expect(rpcErrorOf(reply)).toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: { elicitation: expect.any(Object) } },
    });
  });

  it('returns a protocol error for a response with a foreign state', async () => {
    const reply = await requireInput({ ...ANSWERS, requestState: 'forged' });
    expect(rpcErrorOf(reply)).toMatchObject({ code: -32_602, message: 'The state is another one.' });
  });

  it('refuses questions for a client of an older revision, with a reason', async () => {
    const { body, status } = await send(gateway.url, 'older', { method, params: target });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('needs a client of MCP 2026-07-28');
    expect(JSON.stringify(body)).toContain('invalid_state');
  });
});

it.each(ERAS)('declares no output schema for a content tool, in the %s era', async (era) => {
  const { body } = await send(gateway.url, era, { method: 'tools/list' });
  const tool = body.result?.tools?.find(({ name }) => name === 'delete_it');
  expect(tool).toMatchObject({ inputSchema: { type: 'object' } });
  expect(tool).not.toHaveProperty('outputSchema');
});
