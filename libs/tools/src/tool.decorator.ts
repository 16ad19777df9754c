import { SetMetadata } from '@nestjs/common';
import type { Principal, Scope } from '@lyceum/contracts';
import type { z } from 'zod';

export interface ToolDeclaration {
  /** `verb_noun`, snake_case, unique in the deployment. */
  readonly name: string;
  readonly title: string;
  /** One precise sentence, and when to use it. */
  readonly description: string;
  /**
   * `public` is shown to everybody and needs no token, unless it names identity scopes: then a token of either kind.
   * `member` and `operator` need a token of that kind with all of the scopes.
   */
  readonly audience: 'public' | 'member' | 'operator';
  readonly scopes: readonly Scope[];
  /** Unknown arguments are refused. */
  readonly input: z.ZodObject;
  /** Results are parsed with it: what it does not name stays inside. */
  readonly output: z.ZodObject;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    /** Without it a tool that writes counts as destructive, as the protocol has it. */
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
}

/** What a tool's method gets. */
export interface ToolCall<I> {
  readonly input: I;
  /** Null for an anonymous caller, which only public tools see. */
  readonly principal: Principal | null;
  readonly site_id: string;
  /** Milliseconds since the epoch after which nobody waits for the result. */
  readonly deadline: number;
  readonly idempotencyKey: string | undefined;
}

export const TOOL_METADATA = 'lyceum:tool';

/** Makes a method of a provider a tool of the service. */
export function Tool(declaration: ToolDeclaration): MethodDecorator {
  return SetMetadata(TOOL_METADATA, declaration);
}
