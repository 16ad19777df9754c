import { SetMetadata } from '@nestjs/common';
import type { CallingClient, Principal, Scope } from '@lyceum/contracts';
import type { z } from 'zod';

/** What tools, resources and prompts say of themselves. */
export interface CapabilityDeclaration {
  /** Snake_case; unique in the deployment among those of its kind. `toolNameFault` has the scheme for tools. */
  readonly name: string;
  readonly title: string;
  /** One precise sentence, and when to use it. */
  readonly description: string;
  /**
   * `public` is shown to everybody and needs no token, unless it names identity scopes: then a token of either kind.
   * `member` and `operator` need a token of that kind with all of the scopes; `any`: whatever its scopes are.
   */
  readonly audience: 'public' | 'member' | 'operator';
  readonly scopes: readonly Scope[] | 'any';
  /**
   * The feature, as its folder is named but in snake_case: callers can ask for the tools of some only. Without it the
   * resource of the first scope, `students` for `students:read`; a public one names it.
   */
  readonly toolset?: string;
  /** A small picture: the Base64 of an SVG. */
  readonly icon?: string;
}

export interface ToolDeclaration extends CapabilityDeclaration {
  /** More scopes, by what the tool is asked to do. */
  readonly scopesByArgument?: ArgumentScopes;
  /** Listed also where there are too many tools to list all: those that most conversations begin with. */
  readonly core?: boolean;
  /** Unknown arguments are refused. */
  readonly input: z.ZodObject;
  /**
   * Results are parsed with it: what it does not name stays inside. `content`: the tool shows something rather than giving
   * data, and answers `ContentOutput`.
   */
  readonly output: z.ZodObject | 'content';
  readonly annotations: {
    readonly readOnlyHint: boolean;
    /** Without it a tool that writes counts as destructive, as the protocol has it. */
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
}

/**
 * Which value of an argument needs which scopes, for a tool that does many things by their names. Values that are not
 * named are refused before the tool runs.
 */
export interface ArgumentScopes {
  /** Name of a text argument. */
  readonly argument: string;
  /** A function is called once, at start, with the instance that has the tool's method. */
  readonly scopes: ScopesByValue | ((tools: never) => ScopesByValue);
  /** For a model that chose a value which is not there: how to find one that is. */
  readonly hint: string;
  /** For a model that chose a value of another tool: what to do, by value. Called once, as `scopes` is. */
  readonly instead?: (tools: never) => Readonly<Record<string, string>>;
}

export type ScopesByValue = Readonly<Record<string, readonly string[]>>;

/** What the method of a tool, resource, prompt or completion gets. */
export interface ToolCall<I> {
  readonly input: I;
  /** Null for an anonymous caller, which only public tools see. */
  readonly principal: Principal | null;
  readonly site_id: string;
  /** Milliseconds since the epoch after which nobody waits for the result. */
  readonly deadline: number;
  readonly idempotencyKey: string | undefined;
  /** Aborted when the client goes away or cancels, and at the deadline: what takes long looks at it between its steps. */
  readonly signal: AbortSignal;
  /** What the client can be asked (see `InputNeeded`), and what it has answered in a round before. */
  readonly client: CallingClient;
  /** Tells a client that wants to know how far this is; `done` grows. Costs nothing when nobody listens. */
  readonly progress: (done: number, total?: number, message?: string) => void;
}

export const TOOL_METADATA = 'lyceum:tool';

/** Makes a method of a provider a tool of the service. */
export function Tool(declaration: ToolDeclaration): MethodDecorator {
  return SetMetadata(TOOL_METADATA, declaration);
}
