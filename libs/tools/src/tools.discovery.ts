import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import {
  completionInputSchema,
  completionName,
  completionOutputSchema,
  contentOutputSchema,
  promptOutputSchema,
} from '@lyceum/contracts';
import type { CapabilityKind, ToolCatalog, ToolDescription } from '@lyceum/contracts';
import { SiteTimeZones, providersOf } from '@lyceum/platform';
import { z } from 'zod';
import { COMPLETION_METADATA } from './completion.decorator.js';
import type { CompletionDeclaration } from './completion.decorator.js';
import { ToolDeclarationError } from './capability-description.js';
import { describePrompt } from './prompt-description.js';
import { PROMPT_METADATA } from './prompt.decorator.js';
import type { PromptDeclaration } from './prompt.decorator.js';
import { describeResource } from './resource-description.js';
import { RESOURCE_METADATA } from './resource.decorator.js';
import type { ResourceDeclaration } from './resource.decorator.js';
import { describeTool } from './tool-description.js';
import type { ToolSchemas } from './tool-description.js';
import { ToolNames } from './tool-names.js';
import { ServedTools, TOOL_METADATA } from './tool.decorator.js';
import type { ToolCall, ToolDeclaration } from './tool.decorator.js';

type Entry = Pick<ToolDescription, 'name' | 'audience' | 'scopes' | 'scopesByArgument' | 'version'>;
type Method = (call: ToolCall<unknown>) => Promise<unknown>;

/** A tool, resource, prompt or completion of this service. */
export interface Capability {
  readonly kind: CapabilityKind;
  readonly entry: Entry;
  /** Makes them at the first call: few tools of a service are called, and their schemas take megabytes. */
  readonly schemas: () => CapabilitySchemas;
  readonly call: Method;
  /** Hints for values of another tool, by value. */
  readonly instead?: Readonly<Record<string, string>>;
  /** True for a tool that changes something. */
  readonly writes?: boolean;
}

interface CapabilitySchemas {
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
}

interface Declared<D> {
  readonly declaration: D;
  readonly instance: object;
  readonly call: Method;
}

/** Finds the methods of all providers that are declared as tools, resources, prompts or completions. */
@Injectable()
export class ToolsDiscovery {
  readonly #discovery: DiscoveryService;
  readonly #scanner: MetadataScanner;
  readonly #names: ToolNames;

  constructor(discovery: DiscoveryService, scanner: MetadataScanner, names: ToolNames) {
    this.#discovery = discovery;
    this.#scanner = scanner;
    this.#names = names;
  }

  /** The time zones in which dates in arguments begin. Undefined: UTC. */
  timeZones(): SiteTimeZones | undefined {
    return providersOf(this.#discovery, SiteTimeZones)[0];
  }

  /**
   * Sorted by name. Throws for a malformed declaration or a duplicate name.
   * @param made JSON Schemas of tools that the build has made, by name. Those of other tools are made here.
   */
  find(made: ReadonlyMap<string, ToolSchemas> = new Map()): {
    capabilities: readonly Capability[];
    catalog: Omit<ToolCatalog, 'service'>;
  } {
    const completions = this.#declared<CompletionDeclaration>(COMPLETION_METADATA);
    const completes = (of: string) =>
      completions.filter(({ declaration }) => declaration.of === of).map(({ declaration }) => declaration.argument);
    const tools = [...this.#declared<ToolDeclaration>(TOOL_METADATA), ...this.#served()].map((found) => {
      const { declaration, instance } = found;
      this.#names.check(declaration);
      const entry = describeTool(declaration, instance, made.get(declaration.name));
      const capability = capabilityOf('tool', found, entry, () => schemaOf(declaration.output));
      const instead = declaration.scopesByArgument?.instead?.(instance as never);
      const writes = !declaration.annotations.readOnlyHint;
      return { ...capability, writes, ...(instead === undefined ? {} : { instead }) };
    });
    const resources = this.#declared<ResourceDeclaration>(RESOURCE_METADATA).map((found) => {
      const { declaration } = found;
      const entry = describeResource(declaration, completes(declaration.name));
      return capabilityOf('resource', found, entry, () => schemaOf(declaration.output));
    });
    const prompts = this.#declared<PromptDeclaration>(PROMPT_METADATA).map((found) => {
      const { declaration } = found;
      const entry = describePrompt(declaration, completes(declaration.name));
      return capabilityOf('prompt', found, entry, () => promptOutputSchema);
    });
    for (const capabilities of [tools, [...resources, ...prompts]]) assertUnique(capabilities);
    const completing = completions.map((found) => completionOf(found, [...resources, ...prompts]));
    assertUnique(completing);
    const entries = <E extends Entry>(capabilities: readonly (Capability & { entry: E })[]): E[] =>
      capabilities.map(({ entry }) => entry).sort((a, b) => (a.name < b.name ? -1 : 1));
    return {
      capabilities: [...tools, ...resources, ...prompts, ...completing].map(withoutSchemas),
      catalog: { tools: entries(tools), resources: entries(resources), prompts: entries(prompts) },
    };
  }

  /** The names of all tools of the service. */
  names(): ReadonlySet<string> {
    const tools = [...this.#declared<ToolDeclaration>(TOOL_METADATA), ...this.#served()];
    return new Set(tools.map(({ declaration }) => declaration.name));
  }

  #served(): Declared<ToolDeclaration>[] {
    return providersOf(this.#discovery, ServedTools).flatMap((instance) =>
      instance.tools.map(({ declaration, call }) => ({
        declaration,
        instance,
        call: (asked: ToolCall<unknown>) => call(asked as ToolCall<never>),
      })),
    );
  }

  #declared<D>(metadata: string): Declared<D>[] {
    return this.#discovery.getProviders().flatMap(({ instance }: { instance: unknown }) => {
      if (typeof instance !== 'object' || instance === null) return [];
      return this.#scanner.getAllMethodNames(Object.getPrototypeOf(instance)).flatMap((method) => {
        const implementation: unknown = Reflect.get(instance, method);
        if (typeof implementation !== 'function') return [];
        const declaration = Reflect.getMetadata(metadata, implementation) as D | undefined;
        if (declaration === undefined) return [];
        return [
          {
            declaration,
            instance,
            call: async (call: ToolCall<unknown>): Promise<unknown> => implementation.call(instance, call),
          },
        ];
      });
    });
  }
}

const OUTPUTS = { content: contentOutputSchema, text: z.string(), blob: z.base64() };

function schemaOf(output: z.ZodType | keyof typeof OUTPUTS): z.ZodType {
  return typeof output === 'string' ? OUTPUTS[output] : output;
}

function capabilityOf<E extends Entry>(
  kind: CapabilityKind,
  { declaration, call }: Declared<{ input: z.ZodObject }>,
  entry: E,
  outputOf: () => z.ZodType,
): Capability & { entry: E } {
  let made: CapabilitySchemas | undefined;
  const schemas = (): CapabilitySchemas => (made ??= { input: declaration.input.strict(), output: outputOf() });
  return { kind, entry, schemas, call };
}

/** Calls need no JSON Schemas, which are most of an entry and would stay in memory. */
function withoutSchemas({ entry, ...capability }: Capability): Capability {
  const { name, audience, scopes, scopesByArgument, version } = entry;
  return { ...capability, entry: { name, audience, scopes, version, ...(scopesByArgument && { scopesByArgument }) } };
}

/** Inherits the access and the version of its resource or prompt. */
function completionOf(
  { declaration, call }: Declared<CompletionDeclaration>,
  capabilities: readonly Capability[],
): Capability {
  const { of, argument } = declaration;
  const owner = capabilities.find(({ entry }) => entry.name === of);
  if (owner === undefined)
    throw new ToolDeclarationError('completion', `${of}.${argument}`, 'there is nothing like it');
  const entry = { ...owner.entry, name: completionName(of, argument) };
  const schemas = { input: completionInputSchema, output: completionOutputSchema };
  return { kind: 'completion', entry, schemas: () => schemas, call };
}

function assertUnique(capabilities: readonly Capability[]): void {
  const names = new Set<string>();
  for (const { kind, entry } of capabilities) {
    if (names.has(entry.name)) throw new ToolDeclarationError(kind, entry.name, 'it is declared twice');
    names.add(entry.name);
  }
}
