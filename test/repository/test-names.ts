import ts from 'typescript';

/** Words that end like a verb in the third person and start no sentence of an active verb. */
const NO_VERB = new Set(['is', 'was', 'has', 'this', 'its', 'as', 'does', 'always', 'less', 'unless', 'others']);

/** A verb in the third person, or a negated one. */
export function startsWithVerb(name: string): boolean {
  if (/^(does not|cannot|neither) [a-z]/.test(name)) return true;
  const first = /^(?:never )?([a-z]+(?:-[a-z]+)*)(?=[ ,:]|$)/.exec(name)?.[1] ?? '';
  return first.endsWith('s') && !NO_VERB.has(first);
}

/** `it`, `it.each(…)` and the like. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === 'it' || callee.text === 'test';
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text !== 'each' && isTest(callee.expression);
  if (ts.isTaggedTemplateExpression(callee)) return isTable(callee.tag);
  return ts.isCallExpression(callee) && isTable(callee.expression);
}

const isTable = (callee: ts.Expression): boolean =>
  ts.isPropertyAccessExpression(callee) && callee.name.text === 'each' && isTest(callee.expression);

/** The rows of `it.each([…])`; none for a table that is computed. */
function rowsOf(callee: ts.Expression): readonly ts.Expression[] {
  let table = ts.isCallExpression(callee) ? callee.arguments[0] : undefined;
  while (table !== undefined && (ts.isAsExpression(table) || ts.isSatisfiesExpression(table))) table = table.expression;
  return table !== undefined && ts.isArrayLiteralExpression(table) ? table.elements : [];
}

/** The names of a test whose name begins with `%s`: one for each row that has a text in its first cell. */
function namesOfRows(name: string, callee: ts.Expression): string[] {
  if (!name.startsWith('%s')) return [name];
  const cells = rowsOf(callee).map((row) => (ts.isArrayLiteralExpression(row) ? row.elements[0] : row));
  const texts = cells.map((cell) => (cell !== undefined && ts.isStringLiteralLike(cell) ? cell.text : '%s'));
  return texts.length === 0 ? [name] : texts.map((text) => name.replace('%s', text));
}

/** The names of the tests in a source. A part that is computed stands as its source. */
export function testNames(source: string): string[] {
  const file = ts.createSourceFile('x.ts', source, ts.ScriptTarget.Latest, true);
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [name] = node.arguments;
      if (name !== undefined && (ts.isStringLiteral(name) || ts.isNoSubstitutionTemplateLiteral(name)))
        names.push(...namesOfRows(name.text, node.expression));
      else if (name !== undefined && ts.isTemplateExpression(name)) names.push(name.getText(file).slice(1, -1));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}
