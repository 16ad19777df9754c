import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { ToolDescription } from '@lyceum/contracts';
import { ToolDeclarationError, describeTool } from './tool-description.js';
import { TOOL_METADATA } from './tool.decorator.js';
import type { ToolCall, ToolDeclaration } from './tool.decorator.js';

export interface DiscoveredTool {
  readonly declaration: ToolDeclaration;
  readonly description: ToolDescription;
  call(call: ToolCall<unknown>): Promise<unknown>;
}

/** Finds the methods of all providers that are declared as tools. */
@Injectable()
export class ToolsDiscovery {
  readonly #discovery: DiscoveryService;
  readonly #scanner: MetadataScanner;

  constructor(discovery: DiscoveryService, scanner: MetadataScanner) {
    this.#discovery = discovery;
    this.#scanner = scanner;
  }

  /** Sorted by name. Throws when a declaration is malformed or a name is taken twice. */
  find(): DiscoveredTool[] {
    const tools = new Map<string, DiscoveredTool>();
    for (const { instance } of this.#discovery.getProviders()) {
      if (typeof instance !== 'object' || instance === null) continue;
      for (const tool of this.#toolsOf(instance)) {
        const { name } = tool.declaration;
        if (tools.has(name)) throw new ToolDeclarationError(name, 'it is declared twice');
        tools.set(name, tool);
      }
    }
    return [...tools.values()].sort((a, b) => (a.declaration.name < b.declaration.name ? -1 : 1));
  }

  #toolsOf(instance: object): DiscoveredTool[] {
    return this.#scanner.getAllMethodNames(Object.getPrototypeOf(instance)).flatMap((method) => {
      const implementation: unknown = Reflect.get(instance, method);
      if (typeof implementation !== 'function') return [];
      const declaration = Reflect.getMetadata(TOOL_METADATA, implementation) as ToolDeclaration | undefined;
      if (declaration === undefined) return [];
      const call = async (tool: ToolCall<unknown>): Promise<unknown> => implementation.call(instance, tool);
      return [{ declaration, description: describeTool(declaration, instance), call }];
    });
  }
}
