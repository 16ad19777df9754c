/** Words that begin a line, in the list of a `select` and not within the arguments of a function. */
const CLAUSE =
  /^(?:select|from|where|and|order by|limit|union all|left join lateral|left join|cross join lateral|cross join|join)\b/;

/** A statement on several lines, indented by its selects, for people who review it. Its words stay as they are. */
export function layout(text: string): string {
  const lines = [''];
  /** For each open parenthesis: whether a `select` follows it. */
  const open: boolean[] = [];
  const breakLine = (): void => void lines.push('  '.repeat(open.filter(Boolean).length));
  for (const token of tokensOf(text)) {
    if (token === '(select') open.push(true);
    else if (token === '(') open.push(false);
    const isClause = CLAUSE.test(token) && open.at(-1) !== false;
    if (isClause || token === '(select') breakLine();
    if (token === ')') open.pop();
    const line = lines.pop() ?? '';
    lines.push(token === ' ' && line.trim() === '' ? line : line + token);
  }
  return lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

/** Literals, clauses, parentheses, single spaces and the rest. */
function tokensOf(text: string): string[] {
  const token =
    /'(?:[^']|'')*'|\(\s*select\b|[()]|\b(?:order by|union all|left join lateral|left join|cross join lateral|cross join|select|from|where|and|limit|join)\b|\w+|\s+|[^\w\s'()]+/g;
  return (text.match(token) ?? []).map((one) => normalized(one));
}

/** The words of a statement, without its lines. Literals keep their spaces. */
export const wordsOf = (text: string): string =>
  tokensOf(text)
    .filter((token) => token !== ' ')
    .join(' ');

function normalized(token: string): string {
  if (token.startsWith("'")) return token;
  return token.startsWith('(') ? token.replaceAll(/\s/g, '') : token.replace(/^\s+$/, ' ').replace(/\s+/, ' ');
}
