import { createHash } from 'node:crypto';
import { SCOPES, isScope } from '@lyceum/contracts';
import type { Scope } from '@lyceum/contracts';
import { z } from 'zod';
import type { CapabilityDeclaration } from './tool.decorator.js';

/** A misleading or insecure declaration; prevents the start of the service. */
export class ToolDeclarationError extends Error {
  constructor(kind: string, name: string, fault: string, cause?: unknown) {
    super(`The ${kind} "${name}": ${fault}`, cause === undefined ? undefined : { cause });
    this.name = 'ToolDeclarationError';
  }
}

/** The members of an entry that do not depend on its kind. */
export function describeCapability(kind: string, declaration: CapabilityDeclaration, more: readonly string[] = []) {
  const { name, title, description, audience, icon } = declaration;
  const scopes = declaration.scopes === 'any' ? [] : declaration.scopes;
  const toolset = declaration.toolset ?? resourceOf(scopes[0]);
  const fault = faultOf(kind, declaration, more) ?? (toolset === undefined ? 'it names its toolset' : undefined);
  if (fault !== undefined) throw new ToolDeclarationError(kind, name, fault);
  const mimeType = 'image/svg+xml';
  const icons = icon === undefined ? {} : { icons: [{ src: `data:${mimeType};base64,${icon}`, mimeType }] };
  return { name, title, description, ...icons, audience, scopes, toolset };
}

/** The complete entry, with its hash as version. */
export function finishEntry<T extends z.ZodType<{ version: string }>>(
  kind: string,
  name: string,
  schema: T,
  entry: object,
): z.output<T> {
  const version = versionOf(entry);
  const described = schema.safeParse({ ...entry, version });
  if (described.success) return described.data;
  throw new ToolDeclarationError(kind, name, z.prettifyError(described.error));
}

/** Equal for equal entries, in every process. */
export function versionOf(entry: object): string {
  return createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 16);
}

/** `students` of `students:read`; undefined for an identity scope. */
function resourceOf(scope: Scope | undefined): string | undefined {
  return scope === undefined || SCOPES[scope].audience === 'identity' ? undefined : scope.split(':')[0];
}

function faultOf(kind: string, declaration: CapabilityDeclaration, more: readonly string[]): string | undefined {
  const { title, description, audience, scopes } = declaration;
  if (title.trim() === '' || description.trim() === '') return 'it needs a title and a description';
  if (audience !== 'public' && scopes.length === 0) return `an ${audience} ${kind} names its scopes`;
  if (audience === 'public' && scopes === 'any') return `a public ${kind} needs no scopes`;
  const named = [...(scopes === 'any' ? [] : scopes), ...more];
  const foreign = named.find((scope) => !isScope(scope) || !['identity', audience].includes(SCOPES[scope].audience));
  if (foreign === undefined) return undefined;
  return audience === 'public' ? `${foreign} is no identity scope` : `${foreign} is not a scope of an ${audience}`;
}
