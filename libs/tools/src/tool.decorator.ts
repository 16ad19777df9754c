import { SetMetadata } from '@nestjs/common';
import type { CallingClient, Principal, Scope } from '@lyceum/contracts';
import type { z } from 'zod';

/** Common declaration of tools, resources and prompts. */
export interface CapabilityDeclaration {
  /** Snake_case, unique in the deployment within its kind. `toolNameFault` defines the scheme for tools. */
  readonly name: string;
  readonly title: string;
  /** One precise sentence, with the use case. */
  readonly description: string;
  /**
   * `public` is listed for every caller and needs no token, unless it names identity scopes: then a token of either
   * audience. `member` and `operator` need a token of that audience with all of the scopes; `any` requires no
   * particular scope.
   */
  readonly audience: 'public' | 'member' | 'operator';
  readonly scopes: readonly Scope[] | 'any';
  /**
   * The feature, by which callers can filter: the folder's name in snake_case. Default: the resource of the first
   * scope, `students` for `students:read`; public capabilities name it.
   */
  readonly toolset?: string;
  /** A small picture: the Base64 of an SVG. */
  readonly icon?: string;
}

export interface ToolDeclaration extends CapabilityDeclaration {
  /** Further scopes, by the value of an argument. */
  readonly scopesByArgument?: ArgumentScopes;
  /** Listed even when the list is too long to be complete: tools that start most conversations. */
  readonly core?: boolean;
  /** Unknown arguments are rejected. */
  readonly input: z.ZodObject;
  /**
   * Results are parsed with it: other members are dropped. `content`: the tool returns content blocks (`ContentOutput`)
   * instead of data.
   */
  readonly output: z.ZodObject | 'content';
  readonly annotations: {
    readonly readOnlyHint: boolean;
    /** Default: a writing tool counts as destructive, as in the protocol. */
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
}

/**
 * Scopes by the value of an argument, for a tool with many operations. Undeclared values are refused before the tool
 * runs.
 */
export interface ArgumentScopes {
  /** Name of a text argument. */
  readonly argument: string;
  /** A function is called once, at the start, with the instance of the tool's class. */
  readonly scopes: ScopesByValue | ((tools: never) => ScopesByValue);
  /** Shown to a model that chose an undeclared value: how to find a valid one. */
  readonly hint: string;
  /** Shown to a model that chose a value of another tool, by value. Called once, like `scopes`. */
  readonly instead?: (tools: never) => Readonly<Record<string, string>>;
}

export type ScopesByValue = Readonly<Record<string, readonly string[]>>;

/** The argument of a tool's, resource's, prompt's or completion's method. */
export interface ToolCall<I> {
  readonly input: I;
  /** Null for an anonymous caller, who reaches public tools only. */
  readonly principal: Principal | null;
  readonly site_id: string;
  /** Milliseconds since the epoch; the caller stops waiting then. */
  readonly deadline: number;
  readonly idempotencyKey: string | undefined;
  /** Aborted when the client disconnects or cancels, and at the deadline: long work checks it between its steps. */
  readonly signal: AbortSignal;
  /** The client's capabilities (see `InputNeeded`), and its answers of a previous round. */
  readonly client: CallingClient;
  /** Reports progress to a client that subscribed; `done` grows. A no-op for other clients. */
  readonly progress: (done: number, total?: number, message?: string) => void;
}

export const TOOL_METADATA = 'lyceum:tool';

/** Makes a method of a provider a tool of the service. */
export function Tool(declaration: ToolDeclaration): MethodDecorator {
  return SetMetadata(TOOL_METADATA, declaration);
}

/** Tools that are values. A provider of this class is found as the methods with `@Tool` are. */
export class ServedTools {
  constructor(readonly tools: readonly ServedTool[]) {}
}

export interface ServedTool {
  readonly declaration: ToolDeclaration;
  /** @param call whose input is parsed by the schema of the declaration. */
  readonly call: (call: ToolCall<never>) => Promise<unknown>;
}
