import { SCOPES, isScope, toolDescriptionSchema } from '@lyceum/contracts';
import type { Scope, ToolDescription } from '@lyceum/contracts';
import { z } from 'zod';
import type { ArgumentScopes, ToolDeclaration } from './tool.decorator.js';

/** A declaration that would mislead callers or open a door; the service does not start. */
export class ToolDeclarationError extends Error {
  constructor(name: string, fault: string, cause?: unknown) {
    super(`The tool "${name}": ${fault}`, cause === undefined ? undefined : { cause });
    this.name = 'ToolDeclarationError';
  }
}

/** The entry of the catalogue: JSON Schemas are made here, once, and never while answering. */
export function describeTool(declaration: ToolDeclaration, instance?: object): ToolDescription {
  const { name, title, description, audience, annotations } = declaration;
  const scopes = declaration.scopes === 'any' ? [] : declaration.scopes;
  const toolset = declaration.toolset ?? resourceOf(scopes[0]);
  const scopesByArgument = scopesByValue(declaration.scopesByArgument, instance);
  const fault = faultOf(declaration, scopesByArgument) ?? (toolset === undefined ? 'it names its toolset' : undefined);
  if (fault !== undefined) throw new ToolDeclarationError(name, fault);
  const described = toolDescriptionSchema.safeParse({
    name,
    title,
    description,
    audience,
    scopes,
    ...(scopesByArgument === undefined ? {} : { scopesByArgument }),
    toolset,
    core: declaration.core ?? false,
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

/** `students` of `students:read`; none of an identity scope. */
function resourceOf(scope: Scope | undefined): string | undefined {
  return scope === undefined || SCOPES[scope].audience === 'identity' ? undefined : scope.split(':')[0];
}

function scopesByValue(declared: ArgumentScopes | undefined, instance: object | undefined) {
  if (declared === undefined) return undefined;
  const { argument, scopes, hint } = declared;
  return { argument, hint, scopes: typeof scopes === 'function' ? scopes(instance as never) : scopes };
}

function faultOf(declaration: ToolDeclaration, more: ReturnType<typeof scopesByValue>): string | undefined {
  const { title, description, audience, scopes, annotations, input } = declaration;
  if (title.trim() === '' || description.trim() === '') return 'it needs a title and a description';
  if (annotations.readOnlyHint && annotations.destructiveHint === true) return 'reading is not destructive';
  if (audience !== 'public' && scopes.length === 0) return `an ${audience} tool names its scopes`;
  if (audience === 'public' && scopes === 'any') return 'a public tool needs no scopes';
  if (more !== undefined && !(more.argument in input.shape)) return `it has no argument "${more.argument}"`;
  if (more !== undefined && Object.keys(more.scopes).length === 0) return `no value of "${more.argument}" is allowed`;
  const named = [...(scopes === 'any' ? [] : scopes), ...Object.values(more?.scopes ?? {}).flat()];
  const foreign = named.find((scope) => !isScope(scope) || !['identity', audience].includes(SCOPES[scope].audience));
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
