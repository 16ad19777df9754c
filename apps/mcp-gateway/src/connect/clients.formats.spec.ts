import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { clientGuides, endpointOf, serverNameOf } from './clients.policy.js';

/** The quote shows that a shell reads the address as one word. */
const SITE = { base_url: "https://o'ne.example", slug: 'one' };
const url = z.literal(endpointOf(SITE));
const NAME = serverNameOf(SITE);
/** Claude Code, Codex and VS Code accept these characters. */
const name = z.literal(NAME).refine((text) => /^[\w-]+$/.test(text));

const named = <T extends z.ZodType>(server: T) => z.strictObject({ [NAME]: server });
const remote = z.strictObject({ type: z.literal('http'), url });

/** The words of a command, as a POSIX shell splits them. */
function wordsOf(command: string): string[] {
  const words = execFileSync('sh', ['-c', `set -- ${command}; printf '%s\\0' "$@"`], { encoding: 'utf8' });
  return words.split('\0').slice(0, -1);
}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

/** Refuses options that the program does not have. */
function parsed(command: string, program: readonly string[], options: Options) {
  const words = wordsOf(command);
  expect(words.slice(0, program.length)).toEqual(program);
  return parseArgs({ args: words.slice(program.length), options, allowPositionals: true, strict: true });
}

const string = { type: 'string' } as const;

/** The documented format of each text to copy, by application and title. */
const FORMATS: Readonly<Record<string, (text: string) => void>> = {
  // https://code.claude.com/docs/en/mcp: the options stand before the name.
  'Claude: Claude Code'(text) {
    const options = { transport: string, scope: string, env: string, header: string };
    const { values, positionals } = parsed(text, ['claude', 'mcp', 'add'], options);
    expect(values).toEqual({ transport: 'http' });
    z.tuple([name, url]).parse(positionals);
    expect(wordsOf(text).slice(-2)).toEqual(positionals);
  },
  // https://developers.openai.com/codex/mcp
  'ChatGPT: Codex'(text) {
    const { values, positionals } = parsed(text, ['codex', 'mcp', 'add'], { url: string, env: string });
    z.strictObject({ url }).parse({ ...values });
    z.tuple([name]).parse(positionals);
  },
  // https://cursor.com/docs/context/mcp: a remote server has a URL and no type.
  'Cursor: mcp.json': (text) => {
    z.strictObject({ mcpServers: named(z.strictObject({ url })) }).parse(JSON.parse(text));
  },
  // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
  'VS Code: mcp.json': (text) => {
    z.strictObject({ servers: named(remote) }).parse(JSON.parse(text));
  },
  'VS Code: Command line'(text) {
    const { values, positionals } = parsed(text, ['code'], { 'add-mcp': string });
    expect(positionals).toEqual([]);
    remote.extend({ name }).parse(JSON.parse(String(values['add-mcp'])));
  },
  'MCP Inspector: With a browser': (text) => expect(wordsOf(text)).toEqual(['npx', '@modelcontextprotocol/inspector']),
  // `test/clients/mcp-inspector.spec.ts` runs the released program with these options.
  'MCP Inspector: In a terminal'(text) {
    const program = ['npx', '@modelcontextprotocol/inspector'];
    const { values, positionals } = parsed(text, program, { cli: { type: 'boolean' }, method: string });
    expect(values).toEqual({ cli: true, method: 'tools/list' });
    z.tuple([url]).parse(positionals);
  },
  // https://modelcontextprotocol.io/docs/develop/connect-local-servers: the file of Claude Desktop.
  'Applications without HTTP: Configuration': (text) => {
    const args = z.tuple([z.literal('-y'), z.literal('mcp-remote'), url]);
    const local = z.strictObject({ command: z.literal('npx'), args });
    z.strictObject({ mcpServers: named(local) }).parse(JSON.parse(text));
  },
};

describe('The texts to copy of /connect', () => {
  const texts = new Map(
    clientGuides(SITE).flatMap((guide) => guide.copies.map(({ title, text }) => [`${guide.name}: ${title}`, text])),
  );

  it('finds a format for each text, and a text for each format', () => {
    expect([...texts.keys()].toSorted()).toEqual(Object.keys(FORMATS).toSorted());
  });

  it.each(Object.keys(FORMATS))('keeps the documented format of %s', (key) => {
    expect.hasAssertions();
    const text = texts.get(key) ?? '';
    expect(text).not.toBe('');
    FORMATS[key]?.(text);
  });
});
