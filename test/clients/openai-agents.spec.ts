import {
  type MCPServerStreamableHttp,
  type Model,
  type ModelRequest,
  type ModelResponse,
  Usage,
  setDefaultModelProvider,
  setTracingDisabled,
} from '@openai/agents';
import { systemStack } from '../stack/system-stack.js';
import { Recipe } from './recipe.js';
import { tokenFor } from './tokens.js';

const site = systemStack().sites[0]!;

interface Exports {
  schoolTools(token: string): MCPServerStreamableHttp;
  ask(server: MCPServerStreamableHttp, question: string): Promise<string | undefined>;
}

/** A fake language model: makes one tool call with strict-mode arguments, and returns its result. */
class ScriptedModel implements Model {
  /** The tools of the last request: name and strictness. */
  tools = new Map<string, boolean>();
  private call = { name: '', arguments: '' };

  script(name: string, args: object): void {
    this.call = { name, arguments: JSON.stringify(args) };
  }

  getResponse({ input, tools }: ModelRequest): Promise<ModelResponse> {
    this.tools = new Map(tools.flatMap((tool) => (tool.type === 'function' ? [[tool.name, tool.strict]] : [])));
    const result = typeof input === 'string' ? undefined : input.find(({ type }) => type === 'function_call_result');
    const text = JSON.stringify(result);
    return Promise.resolve({
      usage: new Usage(),
      output: [
        result === undefined
          ? { type: 'function_call', callId: '1', status: 'completed', ...this.call }
          : { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] },
      ],
    });
  }

  // eslint-disable-next-line require-yield -- the recipe does not stream
  async *getStreamedResponse(): AsyncGenerator<never> {
    throw new Error('The recipe does not stream');
  }
}

describe('@openai/agents in strict mode, as its recipe configures it', () => {
  const { schoolTools, ask } = new Recipe('openai-agents', site.base_url).run<Exports>();

  const model = new ScriptedModel();
  beforeAll(() => {
    setTracingDisabled(true);
    setDefaultModelProvider({ getModel: () => model });
  });

  it('converts every tool of an operator, and reads by an operation', async () => {
    model.script('read_operation', {
      operation_id: 'listCourses',
      arguments_json: '{"query":{"q":"knots","fields":"slug"}}',
    });
    const token = await tokenFor('operator', 'openid courses:read courses:write students:read');
    const response = await ask(schoolTools(token), 'Which courses are about knots?');
    expect([...model.tools.keys()]).toEqual(expect.arrayContaining(['read_operation', 'change_operation']));
    expect([...model.tools].filter(([, strict]) => !strict)).toEqual([]);
    expect(response).toContain('knots-and-splices');
  });

  it('converts every tool of a member, and sends null for the optional arguments of a call', async () => {
    model.script('my_courses', { first: null, after: null });
    const token = await tokenFor('member', 'openid account:read account:write');
    const response = await ask(schoolTools(token), 'Which courses do I have?');
    expect(model.tools.size).toBeGreaterThan(10);
    expect([...model.tools].filter(([, strict]) => !strict)).toEqual([]);
    expect(response).toContain('knots-and-splices');
  });
});
