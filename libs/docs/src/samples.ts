type Json = Readonly<Record<string, unknown>>;

/** A request that a sample sends. */
interface Call {
  readonly method: string;
  readonly url: string;
  readonly type: string | undefined;
  readonly body: unknown;
  /** The part of the response that the sample prints. */
  readonly result: 'json' | 'text' | 'status';
}

/** A sample of an operation, as `x-codeSamples` of an OpenAPI document has it. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** Languages in the order of the page. A sample reads the access token from the environment variable `TOKEN`. */
const LANGUAGES: readonly (readonly [lang: string, label: string, write: (call: Call) => string])[] = [
  ['shell', 'curl', curl],
  ['typescript', 'TypeScript', typescript],
  ['python', 'Python', python],
  ['php', 'PHP', php],
];

/**
 * Returns the samples of an operation of an OpenAPI document. A parameter of the path is its name in capitals, which
 * the reader replaces. The body is the example of the document.
 */
export function codeSamples(document: Json, path: string, method: string, origin: string): CodeSample[] {
  const operation = at(document, 'paths', path, method) as Json;
  const content = Object.entries((at(operation, 'requestBody', 'content') ?? {}) as Json);
  const [type, media] = content[0] ?? [];
  const call: Call = {
    method: method.toUpperCase(),
    url: `${origin}${path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => name.toUpperCase())}`,
    type,
    body: media === undefined ? undefined : exampleOf(document, media as Json),
    result: resultOf(operation),
  };
  return LANGUAGES.map(([lang, label, write]) => ({ lang, label, source: write(call) }));
}

function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], value);
}

/** The first example of a body. */
function exampleOf(document: Json, { examples }: Json): unknown {
  const [example] = Object.values((examples ?? {}) as Readonly<Record<string, Json>>);
  const reference = example?.['$ref'];
  if (typeof reference !== 'string') return example?.['value'];
  return at(document, ...reference.slice(2).split('/'), 'value');
}

function resultOf(operation: Json): Call['result'] {
  const responses = (operation['responses'] ?? {}) as Json;
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '204';
  const types = Object.keys(at(responses, success, 'content') ?? {});
  if (types.length === 0) return 'status';
  return types.some((type) => type.includes('json')) ? 'json' : 'text';
}

function curl({ method, url, type, body }: Call): string {
  const lines = [`curl --fail-with-body ${method === 'GET' ? '' : `-X ${method} `}'${url}'`];
  lines.push(`-H "Authorization: Bearer $TOKEN"`);
  if (body !== undefined) {
    lines.push(`-H 'Content-Type: ${type}'`, `-d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`);
  }
  return lines.join(' \\\n  ');
}

function typescript({ method, url, type, body, result }: Call): string {
  const token = '`Bearer ${process.env.TOKEN}`';
  const parts = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    body === undefined
      ? `headers: { authorization: ${token} },`
      : `headers: { authorization: ${token}, 'content-type': '${type}' },`,
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`]),
  ];
  const printed = { json: 'await response.json()', text: 'await response.text()', status: 'response.status' }[result];
  return [
    `const response = await fetch('${url}', {`,
    ...parts.map((part) => `  ${part}`),
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    `console.log(${printed});`,
  ].join('\n');
}

function python({ method, url, type, body, result }: Call): string {
  const headers = `"Authorization": f"Bearer {os.environ['TOKEN']}"`;
  return [
    `import ${body === undefined ? '' : 'json, '}os, urllib.error, urllib.request`,
    '',
    'request = urllib.request.Request(',
    `    "${url}",`,
    `    method="${method}",`,
    ...(body === undefined
      ? [`    headers={${headers}},`]
      : [
          `    headers={${headers}, "Content-Type": "${type}"},`,
          `    data=json.dumps(${indented(literal(body, PYTHON), 4)}).encode(),`,
        ]),
    ')',
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    `        print(${result === 'status' ? 'response.status' : 'response.read().decode()'})`,
    'except urllib.error.HTTPError as error:',
    '    raise SystemExit(error.read().decode())',
  ].join('\n');
}

function php({ method, url, type, body, result }: Call): string {
  const headers = ["'Authorization: Bearer ' . getenv('TOKEN')"];
  if (body !== undefined) headers.push(`'Content-Type: ${type}'`);
  return [
    '<?php',
    "$context = stream_context_create(['http' => [",
    `    'method' => '${method}',`,
    `    'header' => [${headers.join(', ')}],`,
    ...(body === undefined ? [] : [`    'content' => json_encode(${indented(literal(body, PHP), 4)}),`]),
    "    'ignore_errors' => true,",
    ']]);',
    `$response = file_get_contents('${url}', false, $context);`,
    result === 'status' ? 'echo $http_response_header[0];' : 'echo $response;',
  ].join('\n');
}

/** How a language writes the values of JSON. */
interface Literals {
  readonly indent: string;
  readonly constants: Readonly<Record<string, string>>;
  readonly text: (value: string) => string;
  readonly emptyObject: string;
  readonly object: readonly [open: string, arrow: string, close: string];
}

const PYTHON: Literals = {
  indent: '    ',
  constants: { true: 'True', false: 'False', null: 'None' },
  text: (value) => JSON.stringify(value),
  emptyObject: '{}',
  object: ['{', ': ', '}'],
};

const PHP: Literals = {
  indent: '    ',
  constants: { true: 'true', false: 'false', null: 'null' },
  text: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`,
  emptyObject: 'new stdClass()',
  object: ['[', ' => ', ']'],
};

function literal(value: unknown, language: Literals): string {
  const { indent, constants, text, emptyObject, object } = language;
  const block = (open: string, lines: readonly string[], close: string): string =>
    lines.length === 0
      ? `${open}${close}`
      : `${open}\n${lines.map((line) => `${indent}${indented(line, indent.length)},`).join('\n')}\n${close}`;
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) {
    return block(
      '[',
      value.map((item) => literal(item, language)),
      ']',
    );
  }
  if (typeof value !== 'object' || value === null) return constants[String(value)] ?? String(value);
  const [open, arrow, close] = object;
  const members = Object.entries(value).map(([name, one]) => `${text(name)}${arrow}${literal(one, language)}`);
  return members.length === 0 ? emptyObject : block(open, members, close);
}

/** Indents all lines but the first. */
function indented(text: string, spaces = 2): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
