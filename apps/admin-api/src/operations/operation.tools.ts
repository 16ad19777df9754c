import { Tool, itemsOf, toolPage } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { OPEN_ENDED, READS, operatorOf, searchText, toolItems, toolWrite } from '@lyceum/rest';
import { MAX_ARGUMENTS_LENGTH, parseArguments } from './operation.arguments.policy.js';
import { OperationService } from './operation.service.js';

const operationId = z.string().max(100).describe('Id of the operation; search_operations has it');
const json = z.record(z.string(), z.unknown());

const searchInput = z.object({
  q: searchText.optional().describe('Words for the task, such as "revoke enrollment"'),
  ...toolPage,
});
const described = {
  operation_id: z.string(),
  summary: z.string(),
  method: z.string(),
  scope: z.string().describe('Scopes that a call needs'),
  tool: z.string().nullable().describe('The tool that does the same; null: read_operation or change_operation does it'),
};
const searchOutput = itemsOf(z.object(described));

const describeInput = z.object({ operation_id: operationId });
const describeOutput = z.object({
  ...described,
  description: z.string().nullable(),
  path: z.string(),
  parameters: z.array(
    z.object({
      name: z.string(),
      in: z.enum(['path', 'query']),
      required: z.boolean(),
      description: z.string().nullable(),
      schema: json.describe('JSON Schema'),
    }),
  ),
  body_schema: json.nullable().describe('JSON Schema of the body; null when there is none'),
  example_arguments_json: z.string().describe('Value of arguments_json in an example call'),
});

/** JSON text, because the strict mode of OpenAI has no objects with arbitrary members. */
const argumentsJson = (members: string) =>
  z
    .string()
    .max(MAX_ARGUMENTS_LENGTH)
    .default('{}')
    .describe(`JSON text of an object with ${members}; describe_operation has an example`);
const readInput = z.object({
  operation_id: operationId,
  arguments_json: argumentsJson('`path` and `query`'),
});
const changeInput = z.object({
  operation_id: operationId,
  arguments_json: argumentsJson('`path`, `query` and `body`'),
  if_match: z
    .string()
    .max(200)
    .optional()
    .describe('The etag that was read; the change is refused if the object was modified since'),
  ...toolWrite,
});
const answered = {
  status: z.int().describe('HTTP status'),
  etag: z.string().nullable(),
  body: z.unknown().describe('The response of the operation; null when it has no body'),
};

const NAMED = { argument: 'operation_id', hint: 'Find one that does it with search_operations' } as const;
const COMMON = { audience: 'operator', toolset: 'operations', core: true } as const;

/** The whole REST API, for operations without a tool of their own. */
@Injectable()
export class OperationTools {
  constructor(readonly operations: OperationService) {}

  @Tool({
    ...COMMON,
    name: 'search_operations',
    title: 'Search the operations of the REST API',
    description:
      'Finds operations of the REST API by words, the best first, with the tool of each. Use it when no listed tool ' +
      'fits; describe_operation says what one takes.',
    scopes: 'any',
    input: searchInput,
    output: searchOutput,
    annotations: READS,
  })
  searchOperations(call: ToolCall<z.infer<typeof searchInput>>): Promise<object> {
    const { q, first, after } = call.input;
    return toolItems(this.operations.search(operatorOf(call), { q, limit: first, cursor: after }), ({ operation }) =>
      this.operations.withTool(operation),
    );
  }

  @Tool({
    ...COMMON,
    name: 'describe_operation',
    title: 'Describe an operation of the REST API',
    description:
      'Names the parameters, the body and the scope of one operation. Use it before read_operation, which takes those ' +
      'with the method GET, and change_operation, which takes the others.',
    scopes: 'any',
    input: describeInput,
    output: describeOutput,
    annotations: READS,
  })
  describeOperation({ input }: ToolCall<z.infer<typeof describeInput>>): Promise<object> {
    return Promise.resolve(this.operations.withTool(this.operations.describe(input.operation_id)));
  }

  @Tool({
    ...COMMON,
    name: 'read_operation',
    title: 'Read by an operation of the REST API',
    description:
      'Runs one operation that reads (GET), with the scope of that operation. Use it after describe_operation, for data ' +
      'that no other tool reads.',
    scopes: 'any',
    scopesByArgument: {
      ...NAMED,
      scopes: (tools: OperationTools) => tools.operations.scopes('read'),
      instead: (tools: OperationTools) => tools.operations.otherTool('read'),
    },
    input: readInput,
    output: z.object(answered),
    annotations: READS,
  })
  readOperation(call: ToolCall<z.infer<typeof readInput>>): Promise<object> {
    const { operation_id, arguments_json } = call.input;
    return this.operations.run(operatorOf(call), operation_id, { arguments: parseArguments(arguments_json, 'read') });
  }

  @Tool({
    ...COMMON,
    name: 'change_operation',
    title: 'Change by an operation of the REST API',
    description:
      'Runs one operation that creates, changes or deletes, with the scope of that operation. Use it after ' +
      'describe_operation, for changes that no other tool makes, with dry_run first.',
    scopes: 'any',
    scopesByArgument: {
      ...NAMED,
      scopes: (tools: OperationTools) => tools.operations.scopes('change'),
      instead: (tools: OperationTools) => tools.operations.otherTool('change'),
    },
    input: changeInput,
    output: z.object({ ...answered, dry_run: z.boolean() }),
    annotations: OPEN_ENDED,
  })
  async changeOperation(call: ToolCall<z.infer<typeof changeInput>>): Promise<object> {
    const { operation_id, arguments_json, idempotency_key, if_match } = call.input;
    const args = parseArguments(arguments_json, 'change');
    const dry_run = call.input.dry_run || String(args.query['dry_run']) === 'true';
    const asked = {
      arguments: args,
      idempotencyKey: idempotency_key ?? call.idempotencyKey,
      ifMatch: if_match,
      dryRun: dry_run,
    };
    return { ...(await this.operations.run(operatorOf(call), operation_id, asked)), dry_run };
  }
}
