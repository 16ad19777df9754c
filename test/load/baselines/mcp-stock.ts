import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serve } from './serve.ts';

export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema: Record<string, unknown>;
  readonly annotations: Record<string, boolean>;
}

export interface McpStockConfiguration {
  readonly tools: readonly ListedTool[];
  /** The fixed result of each tool. */
  readonly results: Readonly<Record<string, CallToolResult>>;
}

/** A stateless server from the documentation of the SDK: `McpServer` with zod schemas, and results from memory. */
serve<McpStockConfiguration>(async ({ tools, results }) => {
  const schema = (json: Record<string, unknown>): z.ZodType => z.fromJSONSchema(json);
  const registered = tools.map(({ inputSchema, outputSchema, ...tool }) => ({
    ...tool,
    schemas: { inputSchema: schema(inputSchema), outputSchema: schema(outputSchema) },
  }));
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'stock', version: '1.0.0' });
      for (const { name, title, description, annotations, schemas } of registered) {
        const result = results[name] ?? { content: [] };
        server.registerTool(name, { title, description, annotations, ...schemas }, () => result);
      }
      return server;
    },
    { legacy: 'stateless' },
  );
  const handle = toNodeHandler(handler);
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
});
