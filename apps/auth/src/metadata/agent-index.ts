import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { connectsTools } from '#src/sites/site.js';
import type { SiteRecord } from '#src/sites/site.js';

/** One line: a line break would begin another element of the document. */
const line = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The index of a site for agents (llmstxt.org): a title, a summary, and lists of links. */
export function agentIndex(site: SiteRecord): string {
  const { base_url, name } = site;
  const link = (title: string, path: string, text: string): string => `- [${title}](${base_url}${path}): ${text}`;
  const tokens = connectsTools(site)
    ? 'Public tools need no token; the others answer 401 with the way to sign in.'
    : 'MCP connections are off at this site: callers get the public tools only.';
  return `# ${line(name)}

> An online-learning site with an open API. Agents and programs read and change its courses, students, orders and content, within what a person allows.

Tool endpoint (Model Context Protocol, streamable HTTP): \`${base_url}/mcp\`. ${tokens}

## Start here

${link('Authentication', ENDPOINTS.guide, 'how to get a client, a token and a refresh; scopes, errors and limits')}
${link('Connect an agent', '/connect', 'configurations for Claude, ChatGPT, Cursor, VS Code and other MCP clients')}
${link('First call', '/docs/guides/first-call.md', 'from a client to the first response')}

## APIs

${link('OpenAPI document', '/openapi.json', `the operator API (REST) at ${base_url}/api/v1`)}
${link('GraphQL schema', '/member/schema.graphql', `the member API at ${base_url}/member/graphql`)}
${link('API catalog', ENDPOINTS.apiCatalog, 'every API with its description, documentation and metadata (RFC 9727)')}
${link('Server metadata', ENDPOINTS.authorizationServerMetadata, 'OAuth 2.0 and OpenID Connect discovery')}

## Guides

${link('Errors', '/docs/errors/index.md', 'every error code, with the remedy')}
${link('Paging', '/docs/guides/paging.md', 'cursors, filters and bulk reads')}
${link('Idempotency', '/docs/guides/idempotency.md', 'how to repeat a change that may have happened')}
${link('Webhooks', '/docs/guides/webhooks.md', 'events of the school, and how to verify them')}
${link('Client recipes', '/docs/clients/README.md', 'code for common libraries')}

## Optional

${link('API reference', '/docs', 'the operator API for people')}
${link('GraphQL explorer', '/member/explorer', 'queries in the browser')}
`;
}
