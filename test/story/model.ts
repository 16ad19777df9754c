import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { type ToolClient, connectTools } from '../clients/tool-client.js';

type Args = Readonly<Record<string, unknown>>;
type Tool = Awaited<ReturnType<ToolClient['client']['listTools']>>['tools'][number];
type Schema = Parameters<AjvJsonSchemaValidator['getValidator']>[0];

export interface ToolError {
  readonly code: string;
  readonly message: string;
  readonly fields?: readonly { readonly field: string; readonly code: string; readonly id?: string }[];
  readonly hint?: string;
}

/** The arguments of an operation of the REST API. */
interface OperationArguments {
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: object;
}

interface Described {
  readonly operation_id: string;
  readonly method: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly body_schema: Schema | null;
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const validator = new AjvJsonSchemaValidator();

/**
 * Works by tools alone, as a model does: it calls the tools of its list, with arguments that their schemas accept, and
 * with ids that results had. It throws when one of these does not hold.
 */
export class Model {
  /** The calls so far, with the characters of their arguments and results. */
  readonly traffic = { calls: 0, characters: 0 };

  private constructor(
    private readonly address: readonly [baseUrl: string, token: string],
    private readonly client: ToolClient['client'],
    readonly tools: ReadonlyMap<string, Tool>,
    private readonly ids: Set<string>,
  ) {}

  static async connect(baseUrl: string, token: string, ids = new Set<string>(), toolsets = ''): Promise<Model> {
    const headers: Record<string, string> = toolsets === '' ? {} : { 'x-mcp-toolsets': toolsets };
    const { client } = await connectTools(baseUrl, { token, headers });
    const { tools } = await client.listTools();
    return new Model([baseUrl, token], client, new Map(tools.map((tool) => [tool.name, tool])), ids);
  }

  /** The same model with the tools of these toolsets. */
  with(toolsets: string): Promise<Model> {
    return Model.connect(...this.address, this.ids, toolsets);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** Calls a tool that succeeds. */
  async use<Result>(name: string, args: Args = {}): Promise<Result> {
    const tool = this.tools.get(name);
    if (tool === undefined) throw new Error(`${name} is not listed`);
    requireValid(name, tool.inputSchema as Schema, args);
    const { isError, content, structuredContent } = await this.#call(name, args);
    if (isError === true) throw new Error(`${name} failed: ${JSON.stringify(content)}`);
    this.#learn(structuredContent);
    return structuredContent as Result;
  }

  /** Calls a tool that refuses. */
  async refused(name: string, args: Args): Promise<ToolError> {
    const { isError, content } = await this.#call(name, args);
    const [text] = content as readonly { readonly text?: string }[];
    if (isError !== true) throw new Error(`${name} succeeded`);
    const { error } = JSON.parse(text?.text ?? '') as { error: ToolError };
    this.#learn(error);
    return error;
  }

  /** The arguments that run the first operation that the words find. */
  async operation(q: string, { path = {}, body }: OperationArguments): Promise<Args> {
    const { items } = await this.use<{ items: { operation_id: string }[] }>('search_operations', { q, first: 1 });
    const [{ operation_id } = { operation_id: '' }] = items;
    const { parameters, body_schema } = await this.use<Described>('describe_operation', { operation_id });
    const needed = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
    const given = Object.keys(path);
    if (needed.toSorted().join() !== given.toSorted().join())
      throw new Error(`${operation_id} takes the path parameters ${needed.join()}, not ${given.join()}`);
    if (body !== undefined) requireValid(operation_id, body_schema ?? {}, body);
    return { operation_id, arguments_json: JSON.stringify({ path, ...(body === undefined ? {} : { body }) }) };
  }

  async #call(name: string, args: Args) {
    const guessed = (JSON.stringify(args).match(UUIDS) ?? []).filter((id) => !this.ids.has(id));
    if (guessed.length > 0) throw new Error(`No result had ${guessed.join()}, which ${name} takes`);
    const result = await this.client.callTool({ name, arguments: args });
    this.traffic.calls += 1;
    this.traffic.characters += JSON.stringify(args).length + JSON.stringify(result.content).length;
    return result;
  }

  #learn(result: unknown): void {
    for (const id of JSON.stringify(result).match(UUIDS) ?? []) this.ids.add(id);
  }
}

function requireValid(name: string, schema: Schema, value: unknown): void {
  const result = validator.getValidator(schema)(value);
  if (!result.valid) throw new Error(`${name} does not take ${JSON.stringify(value)}: ${result.errorMessage}`);
}

/** The arguments with another value at the place that a tool error names by a JSON Pointer. */
export function corrected<T extends Args>(args: T, pointer: string | undefined, value: unknown): T {
  const copy = structuredClone(args);
  const steps = pointer?.split('/').slice(1) ?? [];
  const last = steps.pop();
  const holder = steps.reduce<object | undefined>((at, step) => at && (Reflect.get(at, step) as object), copy);
  if (holder === undefined || last === undefined || !(last in holder))
    throw new Error(`${pointer} names no argument of ${JSON.stringify(args)}`);
  Reflect.set(holder, last, value);
  return copy;
}
