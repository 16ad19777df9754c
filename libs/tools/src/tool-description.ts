import { SCOPES, isScope, toolDescriptionSchema } from '@lyceum/contracts';
import type { ToolDescription } from '@lyceum/contracts';
import { z } from 'zod';
import type { ToolDeclaration } from './tool.decorator.js';

/** A declaration that would mislead callers or open a door; the service does not start. */
export class ToolDeclarationError extends Error {
  constructor(name: string, fault: string, cause?: unknown) {
    super(`The tool "${name}": ${fault}`, cause === undefined ? undefined : { cause });
    this.name = 'ToolDeclarationError';
  }
}

/** The entry of the catalogue: JSON Schemas are made here, once, and never while answering. */
export function describeTool(declaration: ToolDeclaration): ToolDescription {
  const { name, title, description, audience, scopes, annotations } = declaration;
  const fault = faultOf(declaration);
  if (fault !== undefined) throw new ToolDeclarationError(name, fault);
  const described = toolDescriptionSchema.safeParse({
    name,
    title,
    description,
    audience,
    scopes,
    inputSchema: jsonSchema(name, declaration.input.strict(), 'input'),
    outputSchema: jsonSchema(name, declaration.output, 'output'),
    annotations: {
      readOnlyHint: annotations.readOnlyHint,
      destructiveHint: annotations.destructiveHint ?? !annotations.readOnlyHint,
      idempotentHint: annotations.idempotentHint ?? annotations.readOnlyHint,
      openWorldHint: annotations.openWorldHint ?? false,
    },
  });
  if (described.success) return described.data;
  throw new ToolDeclarationError(name, z.prettifyError(described.error));
}

function faultOf({ title, description, audience, scopes, annotations }: ToolDeclaration): string | undefined {
  if (title.trim() === '' || description.trim() === '') return 'it needs a title and a description';
  if (annotations.readOnlyHint && annotations.destructiveHint === true) return 'reading is not destructive';
  if (audience !== 'public' && scopes.length === 0) return `an ${audience} tool names its scopes`;
  const foreign = scopes.find((scope) => !isScope(scope) || !['identity', audience].includes(SCOPES[scope].audience));
  if (foreign === undefined) return undefined;
  return audience === 'public' ? `${foreign} is no identity scope` : `${foreign} is not a scope of an ${audience}`;
}

function jsonSchema(name: string, schema: z.ZodObject, io: 'input' | 'output'): unknown {
  try {
    return z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  } catch (cause) {
    throw new ToolDeclarationError(name, `its ${io} cannot be written as JSON Schema`, cause);
  }
}
